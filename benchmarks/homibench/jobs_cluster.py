"""A Ray cluster in this machine's processes, for `benchmarks/bench jobs`; Ray's python runs it.

Prints the cluster's address; then reads lines: `kill` ends a machine without notice, `add` adds one,
the end of the input ends all.
"""

import sys

from ray.cluster_utils import Cluster


def main() -> None:
    """A head without processors, and so many machines with one each."""
    cluster = Cluster(initialize_head=True, head_node_args={"num_cpus": 0})
    nodes = [cluster.add_node(num_cpus=1) for _ in range(int(sys.argv[1]))]
    cluster.wait_for_nodes()
    print(cluster.address, flush=True)
    for line in sys.stdin:
        if line.strip() == "kill":
            cluster.remove_node(nodes.pop(0), allow_graceful=False)
        else:
            nodes.append(cluster.add_node(num_cpus=1))
        print("done", flush=True)
    cluster.shutdown()


if __name__ == "__main__":
    main()
