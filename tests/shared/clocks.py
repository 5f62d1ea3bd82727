"""A clock that only models advance."""

from kernlib.compare.climb import Ladder


class Clock:
    """Seconds that pass only while a rung of one of its ladders runs."""

    def __init__(self):
        self.now, self.ran = 100.0, []

    def __call__(self):
        return self.now

    def ladder(self, name, cost, *, sizes=(1, 2, 4, 8, 16, 32, 64), least=1, memory=lambda size: 0, kind=""):
        """A model that takes `cost` seconds at each size."""

        def run(size):
            self.now += cost(size)
            self.ran.append((name, size))

        return Ladder(name, list(sizes), run, memory, cost(sizes[0]), least, kind=kind)
