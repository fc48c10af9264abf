#!/usr/bin/env python3
"""Compares Bagheera with the Python package baghchal over random games.

  python3 -m venv VENV && VENV/bin/pip install baghchal==1.0.1
  cargo build --release --no-default-features
  VENV/bin/python scripts/compare_baghchal.py --positions 10000

The package plays random games of several kinds (shy and greedy tigers, goats that crowd them, players
that take moves back, so that games end in every way). Of every position on the way, `bagheera moves`
must read the package's text, write it again, list the same legal moves and tell the same result. Of
every game, `bagheera convert` must read the package's text, tell the same result and write the same
text again. What is known to differ is counted apart; any other difference ends the script with code 1.
"""

import argparse
import json
import random
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path

PROGRAM = Path(__file__).resolve().parents[1] / "target/release/bagheera"
WINNERS = {"B": "tiger", "G": "sheep", 0: "draw"}
RESULTS = {"B": "= tiger", "G": "= sheep"}


def arguments():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--bagheera", type=Path, default=PROGRAM)
    parser.add_argument("--positions", type=int, default=10_000, help="at least so many")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--most-plies", type=int, default=200, help="of a game")
    given = parser.parse_args()
    # The package changes the working directory when it is imported.
    given.bagheera = given.bagheera.resolve()
    return given


def choose(board, chance, greed, crowd, back):
    """A move, whose kind depends on the game: captures, goats beside tigers, the way back."""
    moves = sorted(board.possible_moves())
    captures = [move for move in moves if "x" in move]
    if captures and len(captures) < len(moves):
        if chance.random() < greed:
            return chance.choice(captures)
        moves = [move for move in moves if "x" not in move]
    if len(board.moves) > 1 and chance.random() < back:
        last = board.moves[-2].replace("x", "")
        way_back = last[0] + last[3:] + last[1:3]
        if len(last) == 5 and way_back in moves:
            return way_back
    if board.next_turn == "G" and chance.random() < crowd:
        tigers = board.bagh_points

        def near(move):
            row, column = int(move[-2]), int(move[-1])
            return min(max(abs(row - r), abs(column - c)) for r, c in tigers)

        nearest = min(map(near, moves))
        moves = [move for move in moves if near(move) == nearest]
    return chance.choice(moves)


def play(Board, chance, most_plies):
    """A game: what the package says of each of its positions, and its text."""
    greed = chance.choice([0.0, 0.0, 0.05, 0.3, 1.0])
    crowd = chance.choice([0.0, 0.5, 0.9])
    back = chance.choice([0.0, 0.3, 0.9])
    board, told = Board(), []
    while True:
        over = board.is_game_over()
        told.append(
            {
                "fen": board.fen,
                "moves": set() if over else set(board.possible_moves()),
                "winner": board.winner() if over else None,
                "over": over,
                "captured": board.goats_captured,
            }
        )
        if over or len(board.moves) == most_plies:
            return told, board.pgn.strip()
        board.move(choose(board, chance, greed, crowd, back))


def run(program, arguments, text=""):
    done = subprocess.run([program, *arguments], input=text, capture_output=True, text=True)
    if done.returncode != 0:
        sys.exit(f"{program} {' '.join(map(str, arguments))}: {done.stderr.strip()}")
    return done.stdout.splitlines()


def known_fen(fen):
    """The package's text as Bagheera can write it: steps of the goats are not counted."""
    rows, side, moves = fen.split()
    return f"{rows} {side} {min(int(moves), 20)}"


def compare_positions(given, told, faults, counts):
    lines = "".join(f"{position['fen']}\n" for position in told)
    answers = run(given.bagheera, ["moves", "--json", "--notation", "baghchal"], lines)
    own = run(given.bagheera, ["convert"], lines)
    back = run(given.bagheera, ["convert", "--to", "baghchal"], "\n".join(own))
    if not len(answers) == len(own) == len(back) == len(told):
        sys.exit("the program has not answered for every position")
    for position, answer, own, back in zip(told, map(json.loads, answers), own, back):
        fen = position["fen"]
        counts["steps not counted"] += known_fen(fen) != fen
        counts["sliding"] += int(fen.split()[2]) >= 20
        if not known_fen(fen) == answer["position"] == back:
            faults.append(f"{fen}: written {answer['position']} and {back}")
        rows, _, hand = own.split()
        captured = 20 - int(hand) - rows.count("S")
        if captured != position["captured"]:
            faults.append(f"{fen}: {captured} captured, not {position['captured']}")
        if position["over"] and position["winner"] == 0:
            # A draw by repetition: the position alone does not tell it.
            if answer["outcome"] is not None:
                faults.append(f"{fen}: {answer['outcome']} has won, and it is a draw")
            counts["draws that a position does not tell"] += 1
            continue
        result = WINNERS[position["winner"]] if position["over"] else None
        if answer["outcome"] != result:
            faults.append(f"{fen}: {answer['outcome']}, not {result}")
        if set(answer["moves"]) != position["moves"] or len(answer["moves"]) != len(
            position["moves"]
        ):
            faults.append(f"{fen}: moves {set(answer['moves']) ^ position['moves']} differ")


def repeats_with_one_side(told):
    """Whether the last position came up three times with the same side to move."""
    fields = [position["fen"].split() for position in told]
    placed = [(rows, side) for rows, side, moves in fields if int(moves) >= 20]
    return placed.count(placed[-1]) >= 3


def compare_games(given, games, faults, counts):
    with tempfile.TemporaryDirectory() as folder:
        theirs, ours = Path(folder, "theirs.pgn"), Path(folder, "ours.games")
        theirs.write_text("".join(f"{pgn}\n" for _, pgn in games))
        own = run(given.bagheera, ["convert", "--games", theirs])
        ours.write_text("\n".join(own))
        back = run(given.bagheera, ["convert", "--games", ours, "--to", "baghchal"])
    ends = [line for line in own if line.startswith("=") or line == "*"]
    if not len(ends) == len(back) == len(games):
        sys.exit("the program has not written every game")
    for (told, pgn), end, back in zip(games, ends, back):
        if pgn != back:
            faults.append(f"{pgn}: written {back}")
        last = told[-1]
        if not last["over"]:
            expected = "*"
        elif last["winner"] == 0:
            same = repeats_with_one_side(told)
            expected = "= draw by repetition" if same else "*"
            counts["draws by rows with either side to move"] += not same
        else:
            expected = RESULTS[last["winner"]]
        if end != expected:
            faults.append(f"{pgn}: ends {end}, not {expected}")
        counts[f"games {WINNERS[last['winner']] if last['over'] else 'broken off'}"] += 1


def main():
    given = arguments()
    try:
        from baghchal.env import Board
    except ImportError as error:
        sys.exit(f"{error}; install the package by: pip install baghchal==1.0.1")
    chance = random.Random(given.seed)
    games, told = [], []
    while len(told) < given.positions:
        games.append(play(Board, chance, given.most_plies))
        told += games[-1][0]
    faults, counts = [], Counter()
    compare_positions(given, told, faults, counts)
    compare_games(given, games, faults, counts)
    distinct = len({position["fen"] for position in told})
    moves = sum(len(position["moves"]) for position in told)
    details = ", ".join(f"{count} {what}" for what, count in sorted(counts.items()))
    print(
        f"{len(told)} positions ({distinct} distinct) with {moves} moves of {len(games)} games: "
        f"{details}; {len(faults)} differences"
    )
    for fault in faults[:20]:
        print(fault, file=sys.stderr)
    sys.exit(1 if faults else 0)


if __name__ == "__main__":
    main()
