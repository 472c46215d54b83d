#!/usr/bin/env python3
"""Does the jobs of a job directory on the machines of a Ray cluster, until there are none.

    homi jobs init JOBS --kind frontier --job-budget 30s -- prog.bc -- --sym-args 0 2 4
    scripts/campaign_ray.py JOBS [--homi FILE] [--address ADDRESS] [--slots N] [--time SECONDS]

Ray is `pip install ray`. Without --address a Ray of this machine alone is begun. The learner and all
that is known are in JOBS, which only this process changes, by `homi jobs next`. A job goes to a
machine as text and comes back as a tar archive, so machines share no files; but homi and what the
arguments name must be there under the same names. A job whose machine dies is done by another one.
A driver that was stopped continues with the running jobs.

JOBS/times.jsonl has a line for each job: when it was sent, begun, ended, received, taken.
Status: 0 the work is over, 1 something failed (the same command resumes it), 3 the time is over.
"""

import argparse
import ctypes
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tarfile
import tempfile
import time

import ray

# Attempts of a failing job, for example for lack of memory. The loss of a machine does not count.
TRIES = 3


def end_with_parent():
    """The process is killed when its worker is."""
    ctypes.CDLL(None).prctl(1, signal.SIGKILL)


@ray.remote(num_cpus=1, max_retries=-1, scheduling_strategy="SPREAD")
def do_job(homi, name, job):
    """The result of a job as an archive, where and when it was done; or what went wrong."""
    began = time.time()
    with tempfile.TemporaryDirectory(prefix="homi-job-") as place:
        file, out = os.path.join(place, name + ".json"), os.path.join(place, name)
        with open(file, "wb") as written:
            written.write(job)
        command = [homi, "job", "--quiet", file, "--out", out]
        done = subprocess.run(command, capture_output=True, text=True, preexec_fn=end_with_parent)
        if done.returncode != 0:
            return None, {"error": done.stderr[-2000:], "status": done.returncode}
        archive = io.BytesIO()
        with tarfile.open(fileobj=archive, mode="w:gz", compresslevel=1) as tar:
            tar.add(out, arcname=name)
    node = ray.get_runtime_context().get_node_id()
    where = {"node": node, "host": socket.gethostname(), "began": began, "ended": time.time()}
    return archive.getvalue(), where


class Driver:
    """The running jobs."""

    def __init__(self, directory, homi):
        self.directory, self.homi = directory, homi
        self.results = os.path.join(directory, "results")
        os.makedirs(self.results, exist_ok=True)
        self.running = {}
        self.tries = {}
        self.times = open(os.path.join(directory, "times.jsonl"), "a", encoding="utf-8")

    def step(self, results, count, again):
        """Hands results in; the files of further jobs, and the seconds it took."""
        command = [self.homi, "jobs", "next", self.directory, "--count", str(count), *results]
        begin = time.time()
        said = subprocess.run(command + ["--again"] * again, capture_output=True, text=True)
        if said.returncode != 0:
            sys.exit(f"{' '.join(command[:4])}: {said.stderr}")
        return said.stdout.split("\n")[:-1], time.time() - begin

    def send(self, file):
        """Sends a job to whatever machine is free."""
        name = os.path.splitext(os.path.basename(file))[0]
        with open(file, "rb") as job:
            task = do_job.remote(self.homi, name, job.read())
        self.running[task] = {"job": name, "file": file, "sent": time.time()}

    def receive(self, task):
        """The directory of a result that has arrived; nothing if the job failed and is retried."""
        line = self.running.pop(task)
        archive, told = ray.get(task)
        name, place = line["job"], os.path.join(self.results, line["job"])
        if archive is None:
            self.tries[name] = self.tries.get(name, 0) + 1
            print(f"job {name} failed: {told['error'].strip()}", file=sys.stderr)
            if self.tries[name] >= TRIES or told["status"] == 2:
                sys.exit(f"{self.directory} can be gone on with by the same command")
            self.send(line["file"])
            return None
        if not os.path.exists(place):
            part = tempfile.mkdtemp(dir=self.results, prefix=".part-")
            with tarfile.open(fileobj=io.BytesIO(archive)) as tar:
                tar.extractall(part, filter="data")
            os.rename(os.path.join(part, name), place)
            shutil.rmtree(part)
        with open(os.path.join(place, "result.json"), encoding="utf-8") as file:
            result = json.load(file)
        line.update(told, received=time.time(), bytes=len(archive))
        line.update(wall_s=result["wall_s"], cpu_s=result["cpu_s"])
        self.lines.append(line)
        return place

    def run(self, slots, deadline):
        """Until no job is left, or the time is over."""
        results, again = [], True
        self.lines = []
        while True:
            is_late = deadline is not None and time.time() >= deadline
            free = 0 if is_late else max(0, slots() - len(self.running))
            files, seconds = self.step(results, free, again)
            for line in self.lines:
                line.update(taken=time.time(), step_s=seconds, step_results=len(results))
                del line["file"]
                self.times.write(json.dumps(line) + "\n")
            self.times.flush()
            for place in results:
                # The job directory has it.
                shutil.rmtree(place)
            for file in files if again else files[:free]:
                self.send(file)
            results, again, self.lines = [], False, []
            if not self.running:
                return not is_late
            ray.wait(list(self.running), num_returns=1, timeout=None)
            ready, _ = ray.wait(list(self.running), num_returns=len(self.running), timeout=0)
            received = [self.receive(task) for task in ready]
            results = [place for place in received if place is not None]


def slots_of_cluster():
    """Processors of the machines that are there now."""
    return int(ray.cluster_resources().get("CPU", 0))


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("directory")
    parser.add_argument("--homi", default=shutil.which("homi"), help="the same on all machines")
    parser.add_argument("--address", help="of the Ray cluster; without, this machine")
    parser.add_argument("--slots", type=int, help="jobs at a time; else one for each processor")
    parser.add_argument("--time", type=float, help="seconds after which no job is sent any more")
    options = parser.parse_args()
    if not options.homi:
        parser.error("there is no homi on the PATH: say --homi FILE")
    ray.init(address=options.address, log_to_driver=False, logging_level="warning")
    slots = (lambda: options.slots) if options.slots else slots_of_cluster
    deadline = options.time and time.time() + options.time
    driver = Driver(os.path.abspath(options.directory), os.path.abspath(options.homi))
    is_over = driver.run(slots, deadline)
    subprocess.run([options.homi, "jobs", "status", options.directory], check=True)
    sys.exit(0 if is_over else 3)


if __name__ == "__main__":
    main()
