# SPDX-License-Identifier: Apache-2.0
"""Runs programs that last in turns: what the machine does beside them then meets all alike, where fresh processes one
after the other meet it by luck. Each is one of several processes, since no two processes of one program are equally fast.

Used by peers.sh and threads.sh.
"""
import random, statistics, struct, subprocess


class Agent:
    """rpx-agent's own timed loop, driven as `compare --base` drives it."""

    def __init__(self, command, env, operators, blas):
        self.process = subprocess.Popen(command, env=env, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        for _ in range(2 * self.read(">i")):
            self.process.stdout.read(self.read(">H"))  # what it says of itself
        self.process.stdin.write(struct.pack(">cii", b"t", operators, blas))

    def read(self, form):
        data = self.process.stdout.read(struct.calcsize(form))
        if not data:
            raise RuntimeError(f"{self.process.args[0]} ended with {self.process.wait()}")
        return struct.unpack(form, data)[0]

    def time(self, runs):
        self.process.stdin.write(struct.pack(">ciq", b"r", runs, 10**12))
        self.process.stdin.flush()
        numbers = [self.read(">q") for _ in range(2 * self.read(">i"))]
        return numbers[1::2]


class Loop:
    """A C++ loop that reads how often to run, and writes each duration in ns."""

    def __init__(self, command, env):
        self.process = subprocess.Popen(command, env=env, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)

    def time(self, runs):
        print(runs, file=self.process.stdin, flush=True)
        line = self.process.stdout.readline()
        if not line:
            raise RuntimeError(f"{self.process.args[0]} ended with {self.process.wait()}")
        return [int(t) for t in line.split()]


def in_turns(starts, processes, turns, runs, warmup):
    """By name, for each process of it: the median of each turn's runs, in ns. All processes of a round live together."""
    times = {name: [] for name in starts}
    for _ in range(processes):
        sides = {name: start() for name, start in starts.items()}
        try:
            for side in sides.values():
                side.time(warmup)
            for name in sides:
                times[name].append([])
            for _ in range(turns):
                for name in random.sample(list(sides), len(sides)):
                    times[name][-1].append(statistics.median(sides[name].time(runs)))
        finally:
            for side in sides.values():
                side.process.kill()
                side.process.wait()
    return times


def ratios(times, name, other):
    """Of each process of one to that of the other which it took turns with: the median of its turns' ratios."""
    return [statistics.median(a / b for a, b in zip(*pair)) for pair in zip(times[name], times[other])]
