"""Simulation of the driver with many machines, from recorded times of jobs.

The driver of scripts/campaign_ray.py is one process. It waits for a result, takes all that have
arrived, gives them to the job directory in one step, and sends as many jobs as machines are free. So a
machine waits while its job is on its way, while the driver is busy with others, and while the step
lasts. All four times are drawn from those that were recorded: of a job on its machine, on the way
there, on the way back, and of a step, which is a part for itself and a part for each result.
"""

import dataclasses
import heapq
import random
import statistics


@dataclasses.dataclass
class Recorded:
    """Seconds, as times.jsonl has them."""

    jobs: list[float]
    there: list[float]
    back: list[float]
    step: float
    result: float

    @staticmethod
    def of(lines: list[dict]) -> "Recorded":
        """From the lines of a real run."""
        steps = {(line["taken"], line["step_results"], line["step_s"]) for line in lines}
        single = [seconds for _, results, seconds in steps if results == 1]
        several = [(results, seconds) for _, results, seconds in steps if results > 1]
        step = statistics.median(single or [seconds / results for results, seconds in several])
        more = [(seconds - step) / (results - 1) for results, seconds in several]
        # A result in a separate step is indistinguishable from the step: it counts as half of it.
        result = max(0.0, statistics.median(more)) if len(more) > 9 else step / 2
        return Recorded(
            [line["ended"] - line["began"] for line in lines],
            [max(0.0, line["began"] - line["sent"]) for line in lines],
            [max(0.0, line["received"] - line["ended"]) for line in lines],
            max(0.0, step - result),
            result,
        )


def simulate(recorded: Recorded, machines: int, jobs: int, seed: int = 1) -> float:
    """Seconds until so many jobs are done by so many machines with a processor each."""
    generator = random.Random(seed)
    draw = generator.choice
    arrivals: list[float] = []
    now, left = recorded.step, jobs
    free, done = machines, 0
    while done < jobs:
        for _ in range(min(free, left)):
            way = draw(recorded.there) + draw(recorded.jobs) + draw(recorded.back)
            heapq.heappush(arrivals, now + way)
            free, left = free - 1, left - 1
        now = max(now, arrivals[0])
        taken = 0
        while arrivals and arrivals[0] <= now:
            heapq.heappop(arrivals)
            taken += 1
        now += recorded.step + taken * recorded.result
        free, done = free + taken, done + taken
    return now


def mean(recorded: Recorded, machines: int, jobs: int, times: int = 20) -> float:
    """The mean of several simulations."""
    return statistics.mean(simulate(recorded, machines, jobs, seed) for seed in range(times))
