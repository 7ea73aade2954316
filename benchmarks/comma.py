"""What pictures cost: 1,000 scripted episodes of COMMA with pictures and without.

    python benchmarks/comma.py               (two minutes; BENCH_EPISODES=100: as many as you say)

The same run by the command line, in a process of its own, the two alternated: all ten puzzles, run folder and all. The
floor is the run in which scenes are shown as text. Then what one picture takes to draw and encode, puzzle by puzzle, in
this process, with its masks drawn before. Read the ratio, machines are noisy.
"""

import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from itertools import islice
from pathlib import Path

from palaver_gamemasters.comma import GAME
from palaver_gamemasters.comma.options import CommaOptions
from palaver_gamemasters.drawing import png

EPISODES = os.environ.get("BENCH_EPISODES", "1000")
ROUNDS = 3
DRAWN = 20
"""Pictures of each puzzle."""


def play(modality: str, folder: Path) -> tuple[float, float]:
    """Play a run; return wall and CPU seconds."""
    words = ["run", "comma", "--agents", "scripted", "-n", EPISODES, "--set", f"modality={modality}", "-q"]
    before, began = resource.getrusage(resource.RUSAGE_CHILDREN), time.perf_counter()
    command = [sys.executable, "-m", "palaver_deploy", *words, "--out", str(folder)]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    return time.perf_counter() - began, cpu


def draw() -> dict[str, float]:
    """Return the milliseconds that one picture takes, by puzzle."""
    took: dict[str, list[float]] = {}
    options = CommaOptions()
    for instance in islice(GAME.instances(options, seed=0), 10 * DRAWN):
        state = GAME.start(instance.data, options)
        scene = state.puzzle.scene(state.now)
        began = time.perf_counter()
        png(state.puzzle.draw(scene))
        took.setdefault(state.puzzle.name, []).append(1000 * (time.perf_counter() - began))
    return {name: statistics.median(each[1:]) for name, each in took.items()}


def main() -> None:
    """Measure and print."""
    with tempfile.TemporaryDirectory(prefix="palaver-bench-") as folder:
        rounds = [
            {modality: play(modality, Path(folder) / f"{modality}{number}") for modality in ("text", "auto")}
            for number in range(ROUNDS)
        ]
    print(f"{EPISODES} scripted episodes of COMMA, medians of {ROUNDS} rounds")
    for modality, said in (("text", "text (floor)"), ("auto", "pictures")):
        wall, cpu = (statistics.median(each[modality][which] for each in rounds) for which in (0, 1))
        print(f"  {said:<14} {wall:6.1f} s wall  {cpu:6.1f} s CPU")
    ratio = statistics.median(each["auto"][1] / each["text"][1] for each in rounds)
    print(f"  CPU as a multiple of the floor: {ratio:.2f}")
    print("a picture, drawn and encoded, ms: " + ", ".join(f"{name} {ms:.0f}" for name, ms in draw().items()))


if __name__ == "__main__":
    main()
