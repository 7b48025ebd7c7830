"""Sets of whole numbers as sorted, separate ranges: a small library, kept with the project."""

from __future__ import annotations

from bisect import bisect_left, bisect_right


class RangeSet:
    """Ranges with both ends in it: `RangeSet([(1, 3)])` holds 1, 2 and 3."""

    def __init__(self, ranges=()) -> None:
        self._starts: list[int] = []
        self._ends: list[int] = []
        for start, end in ranges:
            self.add(start, end)

    def add(self, start: int, end: int) -> None:
        if end < start:
            raise ValueError("a range ends before it starts")
        # Ranges that touch this one become one with it.
        first = bisect_left(self._ends, start - 1)
        last = bisect_left(self._starts, end)
        if first < last:
            start = min(start, self._starts[first])
            end = max(end, self._ends[last - 1])
        self._starts[first:last] = [start]
        self._ends[first:last] = [end]

    def remove(self, start: int, end: int) -> None:
        kept = []
        for one, other in self.ranges():
            if other < start or one > end:
                kept.append((one, other))
                continue
            if one < start:
                kept.append((one, start - 1))
            if other > end:
                kept.append((end + 1, other))
        self._starts = [one for one, _ in kept]
        self._ends = [other for _, other in kept]

    def ranges(self) -> list[tuple[int, int]]:
        return list(zip(self._starts, self._ends))

    def __contains__(self, number: int) -> bool:
        at = bisect_right(self._starts, number) - 1
        return at >= 0 and number <= self._ends[at]

    def __len__(self) -> int:
        return sum(end - start + 1 for start, end in self.ranges())
