#!/usr/bin/env python3
"""How many mistakes that a review claims does a much longer search withdraw?

Takes the first professional games of a list (`--list`, the form of docs/laboratory.md: eight fields with tabs), reviews each
with one thread and a fixed number of simulations for the whole game, and has every claimed mistake of 8 % or more looked at
by a referee: the positions after the better move that the review names and after the played one are searched with
50 times the simulations that the review has for a position. Decided before anything was measured:

  claim      a move that the review calls a mistake or a blunder, with a loss of 8 % of the win rate or more
  withdrawn  the referee's loss is less than 4 %
  figure     withdrawn claims for each 50 moves of all games

`--old BINARY` is a Tengen whose review has no intervals (0.2.0 and before): a claim is there any loss of 8 % or more. Its number of
simulations for a position is divided by 1.6, because it searches a second position wherever it would have played another
move, about 0.6 of them. Where it claims more than `--sample` moves in a game, that many are drawn (seed 1) and the figure is
scaled up.

Everything found is kept in OUT, and the same command goes on where it was interrupted.
"""

import argparse
import gzip
import json
import pathlib
import random
import re
import subprocess
import sys

CLAIM, WITHDRAWN, TIMES = 0.08, 0.04, 50
COLUMNS = "ABCDEFGHJKLMNOPQRST"


def professional(ranks):
    return all(rank == "pro" or re.fullmatch("[1-9]p", rank) for rank in ranks.split("/"))


def games(path, n, skip):
    """Number, komi, result and moves of the first even games between human professionals after `skip` such games."""
    found = 0
    with gzip.open(path, "rt") as lines:
        for line in lines:
            size, komi, handicap, result, ranks, source, setup, moves = line.rstrip("\n").split("\t")
            if size != "19" or handicap != "0" or setup != "-" or not professional(ranks) \
                    or source.startswith("ai"):
                continue
            found += 1
            if found > skip + n:
                return
            if found > skip:
                points = [moves[i:i + 2] for i in range(0, len(moves), 2)]
                yield found, float("6.5" if komi == "?" else komi), result, points


def sgf(komi, result, points):
    head = f"(;GM[1]FF[4]SZ[19]KM[{komi}]RU[Chinese]RE[{result}]"
    return head + "".join(f";{'BW'[i % 2]}[{'' if at == 'tt' else at}]" for i, at in enumerate(points)) + ")\n"


def vertex(at):
    return "pass" if at == "tt" else f"{COLUMNS[ord(at[0]) - 97]}{19 - (ord(at[1]) - 97)}"


def run(command):
    done = subprocess.run(command, capture_output=True, text=True)
    if done.returncode:
        sys.exit(f"{' '.join(map(str, command))}: {done.stderr.strip()}")
    return done.stdout


def new_claims(binary, record, out, playouts):
    """(number, loss, better move) of the claims."""
    command = [binary, "review", record, "--out", out, "--playouts", playouts, "--threads", "1", "--json"]
    found = json.loads(run(list(map(str, command))))
    moves = [one for one in found["moves"] if one["verdict"] in ("mistake", "blunder")]
    return [(one["number"], one["win_lost"]["mean"], one["better"]) for one in moves if one["win_lost"]["mean"] >= CLAIM]


def old_claims(binary, record, out, playouts):
    run(list(map(str, [binary, "review", record, "--out", out, "--playouts", playouts, "--threads", "1"])))
    lines = (out / (record.stem + ".review.jsonl")).read_text().splitlines()[1:]
    found = {one["ply"]: one for one in map(json.loads, lines)}
    claims = []
    for ply in range(len(found) - 1):
        best = found[ply]["after_best"]
        if best is not None and best - (1 - found[ply + 1]["win"]) >= CLAIM:
            claims.append((ply + 1, best - (1 - found[ply + 1]["win"]), found[ply]["candidates"][0]["line"][0]))
    return claims


def referee(binary, komi, points, claims, visits):
    """What the claims cost by the longer search."""
    moves = [["BW"[i % 2], vertex(at)] for i, at in enumerate(points)]
    asked = []
    for number, _, better in claims:
        color = moves[number - 1][0]
        for name, line in (("better", moves[:number - 1] + [[color, better]]), ("played", moves[:number])):
            asked.append({"id": f"{number} {name}", "moves": line, "rules": "chinese", "komi": komi,
                          "boardXSize": 19, "boardYSize": 19, "maxVisits": visits})
    command = [str(binary), "analysis", "--threads", "1", "--seed", "2", "--winrates-as", "black"]
    text = "".join(json.dumps(one) + "\n" for one in asked)
    answers = subprocess.run(command, input=text, capture_output=True, text=True, check=True).stdout
    wins = {one["id"]: one["rootInfo"]["winrate"] for one in map(json.loads, answers.splitlines())}
    sign = {"B": 1, "W": -1}
    return {number: sign[moves[number - 1][0]] * (wins[f"{number} better"] - wins[f"{number} played"])
            for number, _, _ in claims}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--list", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("--tengen", default="tengen", help="the binary that reviews, and the referee")
    parser.add_argument("--old", help="a binary before intervals, measured instead")
    parser.add_argument("--games", type=int, default=20)
    parser.add_argument("--skip", type=int, default=0, help="professional games to leave out at the start of the list")
    parser.add_argument("--simulations", type=int, default=240_000,
                        help="of a review of a game: one minute of one thread at 4000 a second")
    parser.add_argument("--sample", type=int, default=1_000_000)
    args = parser.parse_args()
    name = "old" if args.old else "new"
    folder = args.out / name
    folder.mkdir(parents=True, exist_ok=True)
    sums = {"games": 0, "moves": 0, "claims": 0, "refereed": 0, "withdrawn": 0.0, "by the referee": 0}
    for number, komi, result, points in games(args.list, args.games, args.skip):
        kept = folder / f"{number:03}.json"
        if not kept.exists():
            record = folder / f"{number:03}.sgf"
            record.write_text(sgf(komi, result, points))
            playouts = args.simulations // (len(points) + 1)
            if args.old:
                claims = old_claims(args.old, record, folder, max(1, round(playouts / 1.6)))
            else:
                claims = new_claims(args.tengen, record, folder, playouts)
            n_claims = len(claims)
            if n_claims > args.sample:
                claims = random.Random(1).sample(claims, args.sample)
            losses = referee(args.tengen, komi, points, claims, TIMES * playouts) if claims else {}
            kept.write_text(json.dumps({"moves": len(points), "playouts": playouts, "n_claims": n_claims,
                                        "claims": claims, "referee": losses}))
        found = json.loads(kept.read_text())
        n_withdrawn = sum(loss < WITHDRAWN for loss in found["referee"].values())
        n_refereed = len(found["claims"])
        sums["games"] += 1
        sums["moves"] += found["moves"]
        sums["claims"] += found["n_claims"]
        sums["refereed"] += n_refereed
        sums["by the referee"] += n_withdrawn
        sums["withdrawn"] += n_withdrawn * (found["n_claims"] / n_refereed if n_refereed else 0)
        print(f"game {number}: {found['moves']} moves, {found['playouts']} simulations a position, {found['n_claims']} claims, "
              f"{n_withdrawn} of {n_refereed} withdrawn", flush=True)
    per_50 = 50 * sums["withdrawn"] / max(1, sums["moves"])
    print(f"{name}: {sums['games']} games, {sums['moves']} moves, {sums['claims']} claims of 8 % or more, "
          f"{sums['by the referee']} of {sums['refereed']} withdrawn; {per_50:.2f} withdrawn for each 50 moves")


if __name__ == "__main__":
    main()
