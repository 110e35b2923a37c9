"""How long threads of a process have waited for a processor: tells a busy machine from a slow program."""
import os

# Share of the time without a processor beyond which rates tell of the machine only.
MOST_BUSY = 0.5


def waited(pid):
    """Seconds by thread; none where the system does not tell."""
    found = {}
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
                found[thread] = int(file.read().split()[1]) / 1e9
    except OSError:
        pass
    return found


def longest_wait(pid, before):
    """The longest wait of a thread since `before` [s]."""
    return max((wait - before.get(thread, 0) for thread, wait in waited(pid).items()), default=0.0)


class Watch:
    """Looks at this process and at the one that it listens to."""

    def __init__(self, talker):
        self.pids = [os.getpid(), talker]
        self.before = [waited(pid) for pid in self.pids]

    def share(self, seconds):
        """The share of a time in which either of them waited for a processor."""
        waits = [longest_wait(pid, before) for pid, before in zip(self.pids, self.before)]
        return min(1.0, sum(waits) / seconds)
