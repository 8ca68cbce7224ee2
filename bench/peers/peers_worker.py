"""Runs peers in the Python of one environment: reads jobs from standard input and answers each with one line.

Every job is a process of its own (a fork of this one, which has the packages loaded, so that importing them is not in
anybody's seconds) and a process group of its own, which is killed when it has used the processor seconds of its limit,
or when the clock's limit is over.
"""
import importlib
import json
import os
import resource
import signal
import sys
import time
import traceback
import warnings


def fit_and_score(peer, task, classes, setting, learn, tests, seed, metric):
    started = resource.getrusage(resource.RUSAGE_SELF)
    score, literals = peer.fit(learn, task, classes, setting, seed)
    found = [metric(task, rows.y, score(rows)) for rows in tests]
    ended = resource.getrusage(resource.RUSAGE_SELF)
    return found, literals, ended.ru_utime + ended.ru_stime - started.ru_utime - started.ru_stime


def work(job, out):
    """All sizes of a peer on a split; a line is written after each, so what a stopped run has found is kept."""
    import numpy
    from peers_data import metric, read
    from peers_methods import BY_NAME, hold_out
    warnings.simplefilter("ignore")
    numpy.random.seed(job["seed"])
    peer, task = BY_NAME[job["peer"]], job["entry"]["task"]
    train, classes = read(job["train"], job["entry"])
    test, _ = read(job["test"], job["entry"], classes)
    n = len(classes) if classes else 0
    learn, choose = hold_out(train, task, job["seed"])
    for setting in peer.settings:
        answer = {"setting": setting}
        try:
            (quality,), literals, seconds = fit_and_score(peer, task, n, setting, train, [test], job["seed"], metric)
            answer.update(literals=literals, test=quality, seconds=seconds)
            if len(peer.settings) > 1:
                (chosen,), _, more = fit_and_score(peer, task, n, setting, train.take(learn), [train.take(choose)], job["seed"], metric)
                answer.update(validation=chosen, choosing_seconds=more)
        except Exception as error:
            answer["error"] = "%s: %s" % (type(error).__name__, " ".join(str(error).split())[:300])
            answer["where"] = traceback.format_exc()[-1500:]
        out.write(json.dumps(answer) + "\n")
        out.flush()


def run(job):
    reader, writer = os.pipe()
    sys.stdout.flush()
    child = os.fork()
    if child == 0:
        os.setpgid(0, 0)
        os.close(reader)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        resource.setrlimit(resource.RLIMIT_CPU, (int(job["limit"]), int(job["limit"]) + 5))
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
        try:
            with os.fdopen(writer, "w") as out:
                work(job, out)
            os._exit(0)
        except BaseException as error:
            os.write(writer, (json.dumps({"setting": None, "error": "%s: %s" % (type(error).__name__, error)}) + "\n").encode())
            os._exit(1)
    os.close(writer)
    until = time.monotonic() + job["clock_limit"]
    stopped = None
    while True:
        done, status, used = os.wait4(child, os.WNOHANG)
        if done:
            break
        if time.monotonic() > until:
            stopped = "stopped after %d s by the clock" % job["clock_limit"]
            try:
                os.killpg(child, signal.SIGKILL)
            except ProcessLookupError:
                pass
            until = float("inf")
        time.sleep(.02)
    try:
        os.killpg(child, signal.SIGKILL)      # what the run may have left behind
    except (ProcessLookupError, PermissionError):
        pass
    with os.fdopen(reader) as answers:
        points = [json.loads(line) for line in answers.read().splitlines() if line.endswith("}")]
    if stopped is None and os.WIFSIGNALED(status):
        number = os.WTERMSIG(status)
        stopped = ("stopped after %d processor seconds" % job["limit"] if number in (signal.SIGXCPU, signal.SIGKILL)
                   else "ended by signal %d" % number)
    return {"points": points, "stopped": stopped, "seconds": used.ru_utime + used.ru_stime}


def main():
    """serve MODULE...: loads what can be loaded, says what cannot, then reads jobs."""
    answers = os.fdopen(os.dup(1), "w")
    os.dup2(2, 1)                             # nothing that a package prints gets between the answers
    warnings.simplefilter("ignore")
    failed = {}
    for name in sys.argv[2:]:
        try:
            importlib.import_module(name)
        except BaseException as error:
            failed[name] = "%s: %s" % (type(error).__name__, error)
    answers.write(json.dumps({"failed": failed}) + "\n")
    answers.flush()
    for line in sys.stdin:
        answers.write(json.dumps(run(json.loads(line))) + "\n")
        answers.flush()


if __name__ == "__main__":
    main()
