#!/usr/bin/env python3
"""Minterm next to its peers: EBM, RuleFit, FIGS, GOSDT, boosted trees and others, on the same rows.

  bench/peers/peers.py --cli build/src/cli/minterm-cli --data ../shared/data [--environment build/peers] [--work FOLDER]
      [--datasets heart,iris] [--peers ebm,figs] [--first-state 400] [--splits 5] [--limit 60] [--minutes 60]
      [--out docs/benchmarks-peers.md] [--pictures docs/images] [--plots heart] [--csv FOLDER] [--cached]

Makes its own virtual environments from the pinned versions in environment-*.txt (in --environment), then runs every peer
on the splits of bench/accuracy/accuracy.py, one run at a time with one thread: split by split, quick peers and small data sets first. A run is one peer on
one split with all its sizes; it is a process of its own and stopped after --limit processor seconds, or --clock-limit
seconds. Answers are kept in the work folder and not run again, so an interrupted bench continues where it stopped; so are
errors and stopped runs (--again runs those once more). --cached runs nothing and writes the page from the answers there are.
--csv writes one file of method, literals, score, error per data set, which Import Results... of the Frontier page reads.
The test rows choose nothing: sizes are chosen by a fifth of the training rows.
"""
import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
sys.path[:0] = [HERE, os.path.join(os.path.dirname(HERE), "accuracy")]
ENVIRONMENTS = ("main", "older", "torch", "published")


def make_environment(folder, name):
    """The Python of one environment, and why it could not be made if so. What was made before is not made again."""
    pins = os.path.join(HERE, "environment-%s.txt" % name)
    with open(pins, "rb") as file:
        text = file.read()
    place = os.path.join(folder, name)
    python, stamp = os.path.join(place, "bin", "python"), os.path.join(place, "made-from")
    wanted = hashlib.sha256(text).hexdigest()
    if os.path.exists(stamp):
        with open(stamp, encoding="utf-8") as file:
            made = json.load(file)
        if made["pins"] == wanted:
            return python, made["error"]
    print("making the environment %s" % place, file=sys.stderr)
    subprocess.run([sys.executable, "-m", "venv", "--clear", place], check=True)
    # The pinned versions are complete, and some packages ask for older ones of what they use than they need.
    done = subprocess.run([python, "-m", "pip", "install", "--no-deps", "--prefer-binary", "-r", pins],
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    lines = [line for line in done.stdout.splitlines() if line.startswith("ERROR")] or done.stdout.splitlines()[-1:]
    error = None if done.returncode == 0 else " ".join(lines)[:300]
    with open(stamp, "w", encoding="utf-8") as file:
        json.dump({"pins": wanted, "error": error}, file)
    return python, error


class Worker:
    """A process with the packages of a peer loaded, which runs jobs one after the other."""

    def __init__(self, python, modules, log):
        threads = {n: "1" for n in ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS")}
        self.child = subprocess.Popen([python, os.path.join(HERE, "peers_worker.py"), "serve", *modules], text=True,
                                      stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=log, env=dict(os.environ, **threads))
        line = self.child.stdout.readline()
        self.failed = json.loads(line)["failed"] if line else {"worker": "ended while loading"}

    def run(self, job):
        self.child.stdin.write(json.dumps(job) + "\n")
        self.child.stdin.flush()
        line = self.child.stdout.readline()
        if not line:
            raise SystemExit("the worker of %s ended; see its log in the work folder" % job["peer"])
        return json.loads(line)

    def close(self):
        self.child.stdin.close()
        self.child.wait()


def answer_path(args, dataset, state, peer):
    return os.path.join(args.work, "answers", "%s-%d-%s.json" % (dataset, state, peer))


def keep(path, answer):
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path + ".part", "w", encoding="utf-8") as file:
        json.dump(answer, file)
    os.rename(path + ".part", path)


def load(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def run_minterm(args, entry, train, test):
    """Minterm's default settings: every model of the frontier, and the one it recommends."""
    command = [args.cli, "train", train, "--target", entry["target"], "--test", test, "--evaluate-frontier", "--json", "--threads", "1"]
    if entry["task"] == "regression":
        command += ["--task", "regression"]
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as said:
        child = subprocess.Popen(command, stdout=out, stderr=said)
        _, status, used = os.wait4(child.pid, 0)
        child.returncode = os.waitstatus_to_exitcode(status)
        out.seek(0)
        said.seek(0)
        if child.returncode != 0:
            return {"points": [], "stopped": "exit %d: %s" % (child.returncode, said.read().decode()[-300:]), "seconds": used.ru_utime}
        answer = json.load(out)
    seconds = used.ru_utime + used.ru_stime
    points = [{"setting": {"literals": p["literals"]}, "literals": p["literals"], "test": p["test"], "validation": p["cv_mean"],
               "seconds": seconds, "recommended": p["literals"] == answer["selected"]["literals"]} for p in answer["frontier"]]
    return {"points": points, "stopped": None, "seconds": seconds}


def run_all(args, accuracy, peers, entries, pythons):
    began = time.monotonic()
    workers = {}
    stages = [["minterm"] + [p.name for p in peers if not p.slow], [p.name for p in peers if p.slow]]
    jobs = [(state, entry, name) for state in range(args.first_state, args.first_state + args.splits)
            for names in stages for entry in entries for name in names]
    jobs = [j for j in jobs if j[2] == "minterm" or j[1]["task"] in next(p for p in peers if p.name == j[2]).tasks]
    os.makedirs(args.work, exist_ok=True)
    with open(os.path.join(args.work, "workers.log"), "a", encoding="utf-8") as log:
        for number, (state, entry, name) in enumerate(jobs):
            path = answer_path(args, entry["dataset"], state, name)
            if os.path.exists(path):
                kept = load(path)
                if not args.again or not (kept["stopped"] or any("error" in p for p in kept["points"])):
                    continue
            if args.minutes and time.monotonic() - began > 60 * args.minutes:
                print("time is over: %d of %d runs are not done" % (len(jobs) - number, len(jobs)), file=sys.stderr)
                break
            train, test = accuracy.split_files(args, entry, state)
            if name == "minterm":
                answer = run_minterm(args, entry, train, test)
            else:
                peer = next(p for p in peers if p.name == name)
                python, error = pythons[peer.environment]
                if not error and name not in workers:
                    workers[name] = Worker(python, peer.modules, log)
                failed = {peer.package: error} if error else workers[name].failed
                answer = ({"points": [], "stopped": "; ".join("%s: %s" % f for f in failed.items()), "seconds": 0, "absent": True}
                          if failed else
                          workers[name].run(dict(peer=name, entry=entry, train=train, test=test, seed=state, limit=args.limit,
                                                 clock_limit=args.clock_limit)))
            keep(path, answer)
            print("%d of %d: %s %d %s: %d sizes, %.1f s %s" % (number + 1, len(jobs), entry["dataset"], state, name,
                                                              len(answer["points"]), answer["seconds"], answer["stopped"] or ""),
                  file=sys.stderr, flush=True)
    for worker in workers.values():
        worker.close()


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cli", required=True)
    parser.add_argument("--data", required=True)
    parser.add_argument("--environment", default=os.path.join(os.path.dirname(os.path.dirname(HERE)), "build", "peers"),
                        help="folder of the virtual environments; default: build/peers")
    parser.add_argument("--work", default=os.path.join(tempfile.gettempdir(), "minterm-peers"))
    parser.add_argument("--datasets", help="comma-separated; default: all in the manifest")
    parser.add_argument("--peers", help="comma-separated; default: all")
    parser.add_argument("--first-state", type=int, default=400)
    parser.add_argument("--splits", type=int, default=5)
    parser.add_argument("--limit", type=float, default=60, help="processor seconds of one run")
    parser.add_argument("--clock-limit", type=float, default=1800, help="seconds of one run by the clock")
    parser.add_argument("--minutes", type=float, help="start no run after so many minutes")
    parser.add_argument("--again", action="store_true", help="run again what failed or was stopped")
    parser.add_argument("--cached", action="store_true", help="run nothing")
    parser.add_argument("--commit", default="", help="the commit of --cli, for the page")
    parser.add_argument("--machine", default="", help="a word about the machine, for the page")
    parser.add_argument("--out", help="write the page here")
    parser.add_argument("--pictures", help="folder of the page's pictures; default: images next to the page")
    parser.add_argument("--plots", help="comma-separated data sets that the page has a picture of; default: all")
    parser.add_argument("--csv", help="write one CSV of method, literals, score, error per data set into this folder")
    args = parser.parse_args()
    # Splits need pandas and scikit-learn, which are in the environment: go on there.
    python, error = make_environment(args.environment, "main")
    if error:
        raise SystemExit("the environment could not be made: " + error)
    if os.path.abspath(sys.prefix) != os.path.abspath(os.path.dirname(os.path.dirname(python))):
        os.execv(python, [python, os.path.abspath(__file__), *sys.argv[1:]])

    import accuracy
    import peers_page
    from peers_methods import BY_NAME, PEERS
    peers = [BY_NAME[n] for n in args.peers.split(",")] if args.peers else PEERS
    wanted = args.datasets.split(",") if args.datasets else None
    entries = [e for e in sorted(accuracy.read_manifest(args.data), key=lambda e: int(e["rows"]))
               if not wanted or e["dataset"] in wanted]
    if not args.cached:
        pythons = {name: make_environment(args.environment, name) for name in ENVIRONMENTS
                   if any(p.environment == name for p in peers)}
        run_all(args, accuracy, peers, entries, pythons)
    results = {(e["dataset"], s, n): load(answer_path(args, e["dataset"], s, n))
               for e in entries for s in range(args.first_state, args.first_state + args.splits)
               for n in ["minterm"] + [p.name for p in peers] if os.path.exists(answer_path(args, e["dataset"], s, n))}
    if args.csv:
        peers_page.write_csv(args, entries, peers, results)
    if args.out:
        peers_page.write_page(args, entries, peers, results)


if __name__ == "__main__":
    main()
