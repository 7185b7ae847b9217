#!/bin/sh
# An engine that plays nothing but passes, until its manner shows at the second genmove.
# usage: sh fake.sh MANNER [LOG]
manner=$1
log=${2:-/dev/null}
count=0
[ "$manner" = exits-at-start ] && { echo "no licence found" >&2; exit 7; }
while read -r id command rest; do
    echo "$command $rest" >> "$log"
    reply=
    case $command in
        name) reply=Fake ;;
        version) reply=1.0 ;;
        list_commands)
            reply=$(printf '%s\n' name version list_commands boardsize clear_board komi play genmove undo \
                time_settings time_left set_free_handicap final_score quit)
            [ "$manner" = no-undo ] && reply=$(echo "$reply" | grep -v undo)
            [ "$manner" = no-genmove ] && reply=$(echo "$reply" | grep -v genmove) ;;
        boardsize)
            [ "$manner" = small ] && { printf '?%s unacceptable size\n\n' "$id"; continue; } ;;
        final_score) reply=B+3.0 ;;
        genmove)
            count=$((count + 1))
            reply=pass
            case $manner:$count in
                dies:2) echo "segmentation fault" >&2; exit 3 ;;
                hangs:2) echo "thinking hard" >&2; sleep 60 ;;
                late:2) sleep 1 ;;
                illegal:*) echo "A1 is the best point" >&2; reply=A1 ;;
                off-board:2) reply=Z99 ;;
                empty:2) reply= ;;
                refuses:2) printf '?%s I would rather not\n\n' "$id"; continue ;;
                garbage:2) echo "Hello, world"; continue ;;
                wrong-id:2) id=4711 ;;
                resigns:2) reply=resign ;;
            esac ;;
        quit) printf '=%s \n\n' "$id"; [ "$manner" = stays ] && sleep 60; exit 0 ;;
    esac
    printf '=%s %s\n\n' "$id" "$reply"
done
