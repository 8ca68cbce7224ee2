#!/usr/bin/env python3
"""minterm-cli sweep under mpirun, with ranks that share this machine: the project is the one that a single process makes, also
when ranks are killed. Prints TAP.

check-mpi.py MINTERM-CLI"""
import os
import pathlib
import random
import shutil
import signal
import sqlite3
import subprocess
import sys
import tempfile
import time

cli = os.path.abspath(sys.argv[1])
SETTINGS = ["--target", "y", "--bits", "4,5", "--nodes", "10,20", "--fan-in", "3,4", "--temperature", "0.01", "--seeds", "3",
            "--folds", "3", "--restarts", "1", "--epochs", "60", "--threads", "1"]
N_RUNS = 24
MPIRUN = ["mpirun", "--oversubscribe"] + (["--allow-run-as-root"] if os.geteuid() == 0 else [])
ENVIRONMENT = {**os.environ, "MINTERM_CUDA_MODULE": "none", "MINTERM_RANK_SILENCE": "2", "LC_ALL": "C.UTF-8"}
count = failed = 0


def report(name, problem=None):
    global count, failed
    count += 1
    failed += bool(problem)
    print(f"{'not ok' if problem else 'ok'} {count} {name}", flush=True)
    for line in str(problem or "").splitlines()[:30]:
        print("# " + line[:300])


def write_data(path, seed):
    chance = random.Random(seed)
    lines = ["a,b,c,color,y"]
    for _ in range(300):
        a, b, c = (chance.randrange(50) for _ in range(3))
        color = chance.choice(("red", "green", "blue"))
        y = ((a > 25 and b < 20) or (color == "green" and c > 40)) != (chance.random() < .1)
        lines.append(f"{a},{b},{c},{color},{'yes' if y else 'no'}")
    path.write_text("\n".join(lines) + "\n")


def content(project):
    """Everything in a project but the times of runs, and the ids of points: these follow the order in which runs finished."""
    with sqlite3.connect(f"file:{project}?mode=ro", uri=True, timeout=10) as db:
        rows = list(db.execute("SELECT space, key, value FROM entry ORDER BY space, key"))
        rows += db.execute("SELECT id, name, settings, seed, state, message FROM run ORDER BY id")
        rows += db.execute("SELECT run, literals, rules, cv_mean, cv_se, marks, json FROM point JOIN model ON point.id = point "
                           "ORDER BY run, point.id")
        rows += db.execute("SELECT uri, size, modified, sha256 FROM source")
    return rows


def differs(project, expected):
    found = content(project)
    for a, b in zip(expected, found):
        if a != b:
            return f"expected {a}\nfound {b}"
    return None if len(found) == len(expected) else f"{len(found)} entries, expected {len(expected)}"


def states(project):
    try:
        with sqlite3.connect(f"file:{project}?mode=ro", uri=True, timeout=10) as db:
            return [state for (state,) in db.execute("SELECT state FROM run ORDER BY id")]
    except sqlite3.OperationalError:     # not there yet, or being written
        return []


def mpirun(n, *arguments, options=(), **how):
    return subprocess.run([*MPIRUN, *options, "-n", str(n), cli, "sweep", *map(str, arguments)], capture_output=True, text=True,
                          timeout=200, env=ENVIRONMENT, **how)


def find_rank(job, rank):
    """The process id of a rank, a child of mpirun."""
    for place in pathlib.Path("/proc").glob("[0-9]*"):
        try:
            parent = int((place / "stat").read_text().rpartition(")")[2].split()[1])
            words = (place / "environ").read_bytes().split(b"\0")
        except OSError:
            continue
        if parent == job.pid and b"OMPI_COMM_WORLD_RANK=%d" % rank in words:
            return int(place.name)
    raise RuntimeError(f"no rank {rank}")


def interrupt(project, data, rank, number, n=4, options=()):
    """Sends a signal to a rank (None: mpirun) once some runs are done. What was said, and how many were done."""
    job = subprocess.Popen([*MPIRUN, *options, "-n", str(n), cli, "sweep", str(data), *SETTINGS, "-o", str(project)],
                           stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, env=ENVIRONMENT)
    while states(project).count(2) < 3 and job.poll() is None:
        time.sleep(.01)
    n_done = states(project).count(2)
    os.kill(find_rank(job, rank) if rank is not None else job.pid, number)
    try:
        said = job.communicate(timeout=200)[0]
    except subprocess.TimeoutExpired:
        job.kill()
        said = job.communicate()[0] + "\ndid not end"
    return said, n_done, job.returncode


def check_whole(project):
    """A change that was cut off is in the journal, and opening the project takes it back: here in a copy."""
    with tempfile.TemporaryDirectory() as place:
        for path in project.parent.glob(project.name + "*"):
            shutil.copy(path, place)
        with sqlite3.connect(pathlib.Path(place) / project.name) as db:
            (answer,), = db.execute("PRAGMA integrity_check")
            orphans, = db.execute("SELECT count(*) FROM run WHERE state = 2 AND id NOT IN (SELECT run FROM point)").fetchone()
    return answer if answer != "ok" else f"{orphans} finished runs without points" if orphans else None


def resume_equals(name, folder, project, expected):
    """Opened by the program, continued with two ranks, and the same as one process makes."""
    report(f"{name}: the project is whole", check_whole(project))
    done = mpirun(2, "--resume", project, "--threads", "1")
    report(f"{name}: it is continued", None if done.returncode == 0 else done.stdout + done.stderr)
    report(f"{name}: the project is the same", differs(project, expected))


def check(folder):
    data = folder / "data.csv"
    one = folder / "one.minterm"
    write_data(data, 3)
    subprocess.run([cli, "sweep", data, *SETTINGS, "-o", one], check=True, capture_output=True, env=ENVIRONMENT)
    expected = content(one)

    for n in (1, 2, 3, 4):
        project = folder / f"{n}.minterm"
        done = mpirun(n, data, *SETTINGS, "-o", project)
        report(f"{n} ranks: ends well", None if done.returncode == 0 and f"{N_RUNS} finished now" in done.stdout
               and done.stdout.count("runs:") == 1 and done.stderr == "" else done.stdout + done.stderr)
        report(f"{n} ranks: the project is the same", differs(project, expected))
    changed = [row if row[:2] != (2, "device:1") else ("planted",) for row in expected]
    report("a project that differs is noticed", None if differs(project, changed) else "it was not")
    done = mpirun(3, data, *SETTINGS, "-o", project)
    report("all runs are there: nothing is done again", None if "0 finished now, 24 before" in done.stdout else done.stdout)

    # A token that is missing in one column, and columns of other types: every rank reads as rank 0 was told.
    special = [*SETTINGS[:2], "--missing-in", "a=7", "--type", "b=category", "--bits", "3", "--folds", "2", "--restarts", "0",
               "--seeds", "1", "--fan-in", "2,3", "--threads", "1"]
    for name, words in (("alone", [cli, "sweep"]), ("ranks", [*MPIRUN, "-n", "3", cli, "sweep"])):
        subprocess.run([*words, data, *special, "-o", folder / f"special-{name}.minterm"], check=True, capture_output=True,
                       env=ENVIRONMENT)
    report("options of reading hold for all ranks",
           differs(folder / "special-ranks.minterm", content(folder / "special-alone.minterm")))

    check_killed(folder, data, expected)
    check_refused(folder, data)


def check_killed(folder, data, expected):
    project = folder / "lost.minterm"
    said, n_done, code = interrupt(project, data, 2, signal.SIGKILL, options=["--enable-recovery"])
    report(f"a lost rank ({n_done} runs were done): the others go on",
           None if "rank 2 on" in said and "no longer responds" in said and f"{N_RUNS} finished now" in said else said)
    report("a lost rank: the project is the same", differs(project, expected))

    project = folder / "frozen.minterm"
    said, n_done, code = interrupt(project, data, 1, signal.SIGSTOP, options=["--enable-recovery"], n=3)
    report(f"a rank that hangs ({n_done} runs were done): the others go on, and the job ends",
           None if "did not end" not in said and "rank 1 on" in said and f"{N_RUNS} finished now" in said else said)
    report("a rank that hangs: the project is the same", differs(project, expected))

    project = folder / "ended.minterm"
    said, n_done, code = interrupt(project, data, 2, signal.SIGKILL)
    report(f"a lost rank ends the job without --enable-recovery ({n_done} runs were done)",
           None if code != 0 and "rank 2" in said else said)
    resume_equals("a job that has ended", folder, project, expected)

    project = folder / "headless.minterm"
    said, n_done, code = interrupt(project, data, 0, signal.SIGKILL, n=3, options=["--enable-recovery"])
    report(f"without rank 0 the others end ({n_done} runs were done)",
           None if said.count("has lost contact with rank 0") == 2 else said)
    resume_equals("without rank 0", folder, project, expected)

    project = folder / "stopped.minterm"
    said, n_done, code = interrupt(project, data, 0, signal.SIGTERM, n=3)
    report(f"rank 0 is asked to stop ({n_done} runs were done)",
           None if code != 0 and f"of {N_RUNS} runs are saved in" in said else said)
    report("rank 0 is asked to stop: no run is left running", None if 1 not in states(project) else states(project))
    resume_equals("rank 0 is asked to stop", folder, project, expected)

    project = folder / "cancelled.minterm"
    said, n_done, code = interrupt(project, data, None, signal.SIGINT,
                                   options=["--mca", "odls_base_sigkill_timeout", "20"])
    report(f"mpirun is asked to stop ({n_done} runs were done)", None if code != 0 else said)
    report("mpirun is asked to stop: no run is left running", None if 1 not in states(project) else states(project))
    resume_equals("mpirun is asked to stop", folder, project, expected)


def refusal(name, done, *wanted, times=1):
    said = done.stdout + done.stderr
    missing = [words for words in wanted if said.count(words) != times]
    report(name, f"not said {times} times: {missing}\n{said}" if missing or done.returncode == 0 else None)


def check_refused(folder, data):
    project = folder / "refused.minterm"
    refusal("wrong arguments are said once", mpirun(3, data, "--target", "y"), "sweep needs -o")
    done = subprocess.run([*MPIRUN, "-n", "3", cli, "train", str(data), "--target", "y", "-o", str(folder / "none.json")],
                          capture_output=True, text=True, timeout=200, env=ENVIRONMENT)
    refusal("train is refused", done, "train is one process: start it without mpirun")
    report("train is refused before it works", "a model is there" if (folder / "none.json").exists() else None)
    refusal("standard input is refused", mpirun(2, "-", *SETTINGS, "-o", project, stdin=subprocess.DEVNULL),
            "standard input cannot be read twice")
    # The working directories differ, so the same name is another file.
    places = [folder / name for name in ("first", "second", "third")]
    for place, seed in zip(places, (3, 4, None)):
        place.mkdir()
        if seed is not None:
            write_data(place / "data.csv", seed)
    for other, words in ((places[1], "is not the same as the one that rank 0 reads"), (places[2], "cannot take part")):
        command = [cli, "sweep", "/proc/self/cwd/data.csv", *SETTINGS, "-o", str(project)]
        done = subprocess.run([*MPIRUN, "-n", "1", "-wdir", str(places[0]), *command, ":", "-n", "1", "-wdir", str(other), *command],
                              capture_output=True, text=True, timeout=200, env=ENVIRONMENT)
        refusal(f"a rank that cannot read the data ends the sweep: {words}", done, "minterm-cli: rank 1 on", words)
        report("the project can be continued", check_whole(project))
    for module, words in (("none", "was built without MPI support"), (str(data), "the MPI module cannot be loaded")):
        ENVIRONMENT["MINTERM_MPI_MODULE"] = module
        refusal(f"said once: {words}", mpirun(2, data, *SETTINGS, "-o", folder / "none.minterm"), words)
        done = mpirun(1, data, *SETTINGS[:-2], "--threads", "1", "-o", folder / f"{pathlib.Path(module).name}-alone.minterm")
        report("one process alone needs no module", None if done.returncode == 0 else done.stderr)
    del ENVIRONMENT["MINTERM_MPI_MODULE"]
    report("nothing was made for what did not begin", "a project is there" if (folder / "none.minterm").exists() else None)


if shutil.which("mpirun") is None:
    print("1..0 # SKIP mpirun is not installed: sweeps over MPI are not tested (Debian: openmpi-bin)")
    sys.exit(0)
if not (pathlib.Path(cli).parent / "../mpi/minterm-mpi.so").exists():
    print("1..0 # SKIP the MPI module is not built: sweeps over MPI are not tested (Debian: libopenmpi-dev)")
    sys.exit(0)
with tempfile.TemporaryDirectory() as name:
    check(pathlib.Path(name))
print(f"1..{count}")
sys.exit(1 if failed else 0)
