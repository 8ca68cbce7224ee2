#!/usr/bin/env python3
"""An event model of sweeps over ranks, held to runs with 1 to 4 ranks on this machine; and what larger jobs would take.

    bench/scale/ranks.py measure [--cli build/src/cli/minterm-cli] [--seeds 16] [--rows 4000]
    bench/scale/ranks.py compute

measure: makes a table of its own, times the runs of a sweep one after the other, and lets the model say how long the same
sweep takes by 1, 2, 3, and 4 ranks of one thread each that share the processors of this machine. Then it runs these
(mpirun --oversubscribe) and prints both, with the messages and bytes that the model counts. What other programs leave of the
processors is not known beforehand: the model is given the processor time that the job got per second, measured in the run
itself, and says where that time goes: start, tasks, ranks that wait for the last task.

compute: sweeps on many machines by the same model, and rows over ranks (which is not built) by the figures below, which
were measured as docs/scale.md says. Nothing that compute prints was run.
"""

import argparse
import heapq
import os
import pathlib
import random
import resource
import shutil
import sqlite3
import subprocess
import sys
import tempfile
import time

ROOT = pathlib.Path(__file__).resolve().parents[2]
TASK_BYTES, FOUND_BYTES = 1e3, 50e3     # a task and what comes of it (mt-sweep-ranks.c), the larger of 5 to 50 kB
LATENCY, BANDWIDTH = 50e-6, 1.25e9      # of a message, seconds, and bytes a second: 10 Gb/s Ethernet
POLL = 2e-3                             # rank 0 looks for messages that often
WRITE = 10e-3                           # of rank 0 for the project, a run


def simulate(tasks, start, ranks, threads, processors):
    """Seconds until the last result is written, and what share of its time a thread waited.

    tasks: processor seconds of each, handed out in this order, one to each thread that has none. start: processor seconds
    of each rank before its first task. processors: of each machine, shared by the ranks on it if that is a list of one
    number for all ranks together, otherwise one number a rank. Events: a thread gets ready or ends a task; in between, all
    that work on a machine go equally fast."""
    shared = len(processors) == 1
    n = ranks * threads
    machine = [0 if shared else r // threads for r in range(n)]
    left = [start if t % threads == 0 else 0.0 for t in range(n)]     # processor seconds to do; the first thread of a rank starts it
    phase = ["start" if t % threads == 0 else "wait" for t in range(n)]
    queue, now, busy, done, writer_free = list(reversed(tasks)), 0.0, 0.0, 0, 0.0
    arriving = []                                                      # (time, thread): a task is on its way
    message = LATENCY + POLL / 2
    while done < len(tasks):
        working = [t for t in range(n) if phase[t] in ("start", "work")]
        load = {}
        for t in working:
            load[machine[t]] = load.get(machine[t], 0) + 1
        speed = {m: min(1.0, processors[m] / load[m]) for m in load}
        step = min([left[t] / speed[machine[t]] for t in working] + [arriving[0][0] - now if arriving else float("inf")])
        now += step
        for t in working:
            left[t] -= step * speed[machine[t]]
            busy += step
        while arriving and arriving[0][0] <= now + 1e-12:
            _, t, seconds = heapq.heappop(arriving)
            phase[t], left[t] = "work", seconds
        for t in working:
            if left[t] > 1e-9 or phase[t] not in ("start", "work"):
                continue
            if phase[t] == "work":
                done += 1
                writer_free = max(writer_free, now + message + FOUND_BYTES / BANDWIDTH) + WRITE
            ready = range(t, t + threads) if phase[t] == "start" else [t]
            for other in ready:
                phase[other] = "wait"
                if queue:
                    heapq.heappush(arriving, (now + 2 * message + TASK_BYTES / BANDWIDTH, other, queue.pop()))
    end = max(now, writer_free)
    return end, 1 - busy / (end * n)


# --- measured here ---

def write_rows(path, rows):
    r = random.Random(5)
    with open(path, "w") as out:
        out.write("a,b,c,d,e,f,y\n")
        for _ in range(rows):
            a, b, c, d, e, f = (r.randrange(1000) for _ in range(6))
            y = (a >= 500 and b < 400) or (c >= 700 and d >= 600)
            out.write(f"{a},{b},{c},{d},{e},{f},{int(y != (r.random() < .1))}\n")


def run(command):
    """Wall and processor seconds of a job."""
    before, start = resource.getrusage(resource.RUSAGE_CHILDREN), time.monotonic()
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    wall, after = time.monotonic() - start, resource.getrusage(resource.RUSAGE_CHILDREN)
    return wall, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def seconds_of_runs(project):
    with sqlite3.connect(f"file:{project}?mode=ro", uri=True) as db:
        return [seconds for (seconds,) in db.execute("SELECT seconds FROM run WHERE state = 2 ORDER BY id")]


def measure(arguments):
    if shutil.which("mpirun") is None:
        sys.exit("mpirun is not installed")
    mpirun = ["mpirun", "--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
    with tempfile.TemporaryDirectory() as folder:
        data, project = f"{folder}/rows.csv", f"{folder}/sweep.minterm"
        write_rows(data, arguments.rows)
        sweep = [arguments.cli, "sweep", data, "--target", "y", "--folds", "2", "--bits", "5,9", "--seeds", str(arguments.seeds // 2),
                 "--threads", "1", "-o", project]
        _, start = run([arguments.cli, "inspect", data, "--threads", "1"])
        wall, cpu = run(sweep)
        walls = seconds_of_runs(project)
        # The share of each run in the processor time of all; waiting for other programs is in its own seconds.
        tasks = [s / sum(walls) * (cpu - start) for s in walls]
        os.unlink(project)
        print(f"{len(tasks)} runs of {min(tasks):.2f} to {max(tasks):.2f} processor seconds, {cpu:.1f} s in all; start of a rank {start:.2f} s")
        print("\n| ranks | processors it got | measured, s | by the model, s | ratio | idle by the model | messages |")
        print("|---|---|---|---|---|---|---|")
        for ranks in range(1, 5):
            command = sweep if ranks == 1 else [*mpirun, "-n", str(ranks), *sweep]
            wall, cpu = run(command)
            n_done = len(seconds_of_runs(project))
            os.unlink(project)
            if n_done != len(tasks):
                sys.exit(f"{n_done} runs of {len(tasks)} were done")
            got = search_processors(tasks, start, ranks, cpu / wall)
            end, idle = simulate(tasks, start, ranks, 1, [got])
            print(f"| {ranks} | {cpu / wall:.2f} | {wall:.1f} | {end:.1f} | {end / wall:.2f} | {100 * idle:.0f} % | {2 * len(tasks)} |")


def search_processors(tasks, start, ranks, wanted):
    """Processors at which the model's job gets as many processor seconds a second as the real one did."""
    work = sum(tasks) + start * ranks
    low, high = 1e-3, float(ranks)
    for _ in range(50):
        middle = (low + high) / 2
        if work / simulate(tasks, start, ranks, 1, [middle])[0] < wanted:
            low = middle
        else:
            high = middle
    return high


# --- computed ---

RATES = {                       # processor seconds on the machine of docs/scale.md
    "read": 25e6,               # bytes of CSV a second and core: predict of 1.1 GB, all of it
    "learn": 3.4e-6,            # a row and column: train --folds 0, 2 million rows of 20 columns, the slower of two figures
    "bytes a row and column": 36, # of 1 million rows
}


def sweep_on(machines, cores, runs, seconds):
    r = random.Random(1)
    tasks = [seconds * r.lognormvariate(-.045, .3) for _ in range(runs)]
    end, idle = simulate(tasks, 10, machines, cores, [cores] * machines)
    return end, idle, sum(tasks)


def compute(_):
    print("Sweeps, computed: runs of 60 processor seconds on the average, 10 s until a rank has read the data\n")
    print("| machines | cores each | runs | hours | on one core | efficiency | messages | bytes to and from rank 0 |\n|---|---|---|---|---|---|---|---|")
    for machines, cores, runs in ((1, 16, 5000), (4, 16, 5000), (16, 16, 5000)):
        end, _, work = sweep_on(machines, cores, runs, 60)
        print(f"| {machines} | {cores} | {runs:,} | {end / 3600:.2f} | {work / 3600:.1f} | {100 * work / (end * machines * cores):.0f} % "
              f"| {2 * runs:,} | {runs * (TASK_BYTES + FOUND_BYTES) / 1e6:.0f} MB |")
    rows, columns, machines, cores = 1e9, 50, 32, 16
    literals, terms, rounds = 128 * columns, 100, 150
    cell = 5.6                          # bytes of CSV
    read = rows * columns * cell / RATES["read"] / machines / cores
    learn = rows * columns * RATES["learn"] / machines
    sums = {                            # number of reductions, bytes of each
        "fit: gradient and loss, conjugate gradients": (rounds * 60, (terms + 1) * 8),
        "fit: Hessian": (rounds, terms * terms * 8),
        "scan: pairs of literals (9 per column)": (4, 2 * (9 * columns) ** 2 * 8),
        "tables: cells of the rules": (rounds * terms, 2 ** 5 * 8),
        "thresholds and exchange: by code": (rounds * terms, literals * 4 * 8),
    }
    print(f"\nRows over ranks, computed and not built: {rows:.0e} rows x {columns} columns, {machines} machines of {cores} cores\n")
    print("| step | reductions | bytes each | seconds |\n|---|---|---|---|")
    total = 0
    for name, (n, size) in sums.items():
        hops = 2 * 5                    # down and up a tree of 32
        seconds = n * (hops * LATENCY + 2 * size / BANDWIDTH)
        total += seconds
        print(f"| {name} | {n:,} | {size:,} | {seconds:.1f} |")
    print(f"| all messages | | | {total:.0f} |")
    print(f"| reading, all cores | | | {read:.0f} |")
    print(f"| learning, one core a machine as now | | | {learn:.0f} |")
    print(f"| learning, if all cores shared the rows | | | {learn / cores:.0f} |")
    print(f"\nMemory a machine: {rows / machines * columns * RATES['bytes a row and column'] / 1e9:.0f} GB, "
          f"of which encoded rows {rows / machines * columns / 1e9:.1f} GB")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    one = commands.add_parser("measure")
    one.add_argument("--cli", default=str(ROOT / "build/src/cli/minterm-cli"))
    one.add_argument("--seeds", type=int, default=16)
    one.add_argument("--rows", type=int, default=4000)
    one.set_defaults(do=measure)
    commands.add_parser("compute").set_defaults(do=compute)
    arguments = parser.parse_args()
    arguments.do(arguments)


main()
