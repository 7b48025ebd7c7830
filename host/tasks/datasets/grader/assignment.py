"""The cheapest assignment of rows to columns (the Hungarian method, by shortest augmenting paths)."""


class Assignment:
    """
    Of a matrix of costs, none of them above zero: rows or columns that are left over count as cost 0.
    Rows can be exchanged afterwards, which takes one path each instead of a new start.
    """

    def __init__(self, costs, columns):
        """@param costs a list of rows of `columns` numbers each"""
        self.real = (len(costs), columns)
        size = max(len(costs), columns, 1)
        self.rows = [[*row, *([0.0] * (size - columns))] for row in costs]
        self.rows += [[0.0] * size for _ in range(size - len(costs))]
        self.of_row = [0.0] * size
        self.of_column = [0.0] * size
        self.row_at = [None] * size
        for row in range(size):
            self._place(row)

    def exchanged(self, changes):
        """
        Another assignment, with other costs in some rows.
        @param changes costs by row; None for a row that is gone
        """
        other = Assignment.__new__(Assignment)
        size = len(self.rows)
        gone = sum(1 for costs in changes.values() if costs is None)
        other.real = (self.real[0] - gone, self.real[1])
        other.rows, other.row_at = self.rows[:], self.row_at[:]
        other.of_row, other.of_column = self.of_row[:], self.of_column[:]
        for column, row in enumerate(self.row_at):
            if row in changes:
                other.row_at[column] = None
        for row, costs in changes.items():
            other.rows[row] = [*(costs or []), *([0.0] * (size - len(costs or [])))]
            other.of_row[row] = min(cost - dual for cost, dual in zip(other.rows[row], other.of_column))
            other._place(row)
        return other

    def pairs(self):
        """Row and column of each pair that costs anything, by row."""
        columns = range(self.real[1])
        return sorted((self.row_at[column], column) for column in columns if self._cost(column) != 0.0)

    def costs(self):
        """The costs of the pairs, with zeros up to as many as rows and columns allow."""
        found = [self.rows[row][column] for row, column in self.pairs()]
        return found + [0.0] * (min(self.real) - len(found))

    def _cost(self, column):
        return self.rows[self.row_at[column]][column]

    def _place(self, row):
        """Gives a row a column: the cheapest way through those that have one already."""
        size = len(self.rows)
        reach, before = [float("inf")] * size, [None] * size
        done, at, column = [False] * size, row, None
        while True:
            costs, here, step, nearest = self.rows[at], self.of_row[at], float("inf"), None
            for other in range(size):
                if done[other]:
                    continue
                slack = costs[other] - here - self.of_column[other]
                if slack < reach[other]:
                    reach[other], before[other] = slack, column
                if reach[other] < step:
                    step, nearest = reach[other], other
            self._shift(row, done, reach, step)
            done[nearest], column = True, nearest
            if self.row_at[column] is None:
                break
            at = self.row_at[column]
        while column is not None:
            previous = before[column]
            self.row_at[column] = row if previous is None else self.row_at[previous]
            column = previous

    def _shift(self, row, done, reach, step):
        if step == 0:
            return
        self.of_row[row] += step
        for other, is_done in enumerate(done):
            if is_done:
                self.of_row[self.row_at[other]] += step
                self.of_column[other] -= step
            else:
                reach[other] -= step
