#!/bin/sh
# An engine that plays nothing but passes, until its manner shows: most at the second genmove, some sooner.
# usage: sh fake.sh MANNER [LOG]
manner=$1
log=${2:-/dev/null}
count=0
cleared=0
case $manner in
    exits-at-start) echo "no licence found" >&2; exit 7 ;;
    hangs-at-start) echo "loading the network" >&2; sleep 600 ;;
    welcomes) echo "Welcome to Fake 1.0"; echo "speaking to humans" >&2 ;;
    # Neither a child of its own nor a signal that can be caught makes it outlive its game.
    stays-with-child) trap '' TERM INT HUP; sleep 600 & ;;
esac
while read -r id command rest; do
    # Numbers are left out where nobody waits for an answer.
    case $id in *[!0-9]*) rest="$command $rest"; command=$id; id= ;; esac
    echo "$command $rest" >> "$log"
    reply=
    case $command in
        name) reply=Fake ;;
        version) reply=1.0 ;;
        list_commands)
            reply=$(printf '%s\n' name version list_commands boardsize clear_board komi play genmove undo \
                time_settings time_left set_free_handicap final_score rectangular_boardsize quit)
            [ "$manner" = square ] && reply=$(echo "$reply" | grep -v rectangular)
            [ "$manner" = no-undo ] && reply=$(echo "$reply" | grep -v undo)
            [ "$manner" = no-genmove ] && reply=$(echo "$reply" | grep -v genmove) ;;
        clear_board)
            cleared=$((cleared + 1))
            # The first game is enough for it.
            [ "$manner:$cleared" = stuck-between:2 ] && { echo "garbage collection" >&2; sleep 600; } ;;
        play)
            [ "$manner" = wrong-turn ] && { echo "I have this colour" >&2; printf '?%s wrong colour\n\n' "$id"; continue; } ;;
        boardsize)
            [ "$manner" = dies-at-setup ] && { echo "no room" >&2; exit 4; }
            [ "$manner" = small ] && { printf '?%s unacceptable size\n\n' "$id"; continue; } ;;
        final_score) reply=B+3.0; [ "$manner" = boasts ] && reply=B+99999 ;;
        genmove)
            count=$((count + 1))
            reply=pass
            case $manner:$count in
                dies:2) echo "segmentation fault" >&2; exit 3 ;;
                hangs:2) echo "thinking hard" >&2; sleep 60 ;;
                late:2|always-late:*) sleep 1 ;;
                illegal:*) echo "A1 is the best point" >&2; reply=A1 ;;
                off-board:2) reply=Z99 ;;
                empty:2) reply= ;;
                refuses:2) printf '?%s I would rather not\n\n' "$id"; continue ;;
                garbage:2) echo "Hello, world"; continue ;;
                wrong-id:2) id=4711 ;;
                resigns:2) reply=resign ;;
                wrong-colour:2) echo "I play the other side" >&2; case $rest in b*) reply="w C3" ;; *) reply="b C3" ;; esac ;;
                floods-stderr:*) head -c 3000000 /dev/zero | tr '\000' 'x' >&2; echo >&2
                    yes "a line of no use" | head -n 50000 >&2; echo "at last" >&2 ;;
                floods-stdout:2) echo "it will not stop" >&2; yes "so much to say" ;;
                floods-reply:2) echo "it will not stop" >&2; printf '=%s ' "$id"; yes "$(printf '%0999d' 0)" ;;
                answers-twice:2) printf '=%s pass\n\n' "$id" ;;
                binary:2) echo "core dumped" >&2; printf '\377\376\001\002\n'; continue ;;
                goes-mute:2) echo "no more words" >&2; exec 1>&-; sleep 600 ;;
                leaves:2) echo "good bye" >&2; exit 0 ;;
            esac ;;
        quit)
            printf '=%s \n\n' "$id"
            case $manner in stays*) sleep 600 ;; esac
            exit 0 ;;
    esac
    printf '=%s %s\n\n' "$id" "$reply"
done
