"""
Which text block of one page is which of the other: by their texts, where neighbours are merged if that makes texts more
alike. A block is {"text", "bbox": (x, y, width, height) as shares of the page, "color"}.
"""

from collections import Counter
from difflib import SequenceMatcher

from assignment import Assignment

# A merge must better the mean of what it changes by this much.
LEAST_GAIN = 0.05
# Blocks whose texts are less alike than this are not a pair.
LEAST_ALIKE = 0.5
CONTEXT_BONUS = 0.1


class Likeness:
    """How alike two texts are, 0 to 1; each pair is compared once."""

    def __init__(self):
        self.known, self.matchers = {}, {}

    def __call__(self, one, other):
        if (one, other) not in self.known:
            matcher = self.matchers.setdefault(other, SequenceMatcher(None, "", other))
            matcher.set_seq1(one)
            self.known[one, other] = matcher.ratio()
        return self.known[one, other]


def with_one_box_each(blocks):
    """Texts in the very same box are one block."""
    merged = {}
    for block in blocks:
        box = tuple(block["bbox"])
        if box in merged:
            before = merged[box]
            color = [(one + other) / 2 for one, other in zip(before["color"], block["color"])]
            merged[box] = {"text": f"{before['text']} {block['text']}", "bbox": box, "color": color}
        else:
            merged[box] = {**block, "bbox": box}
    return list(merged.values())


def matched(answer, reference):
    """The blocks of both pages, neighbours merged, and the pairs of them with their likeness."""
    if answer == reference:
        return answer, reference, [(at, at, 1.0) for at in range(len(answer))]
    like = Likeness()
    changed = True
    while changed:
        answer, first = with_neighbours_merged(answer, reference, like)
        # The other way round rows are columns; a text is still compared as part of the answer.
        reference, second = with_neighbours_merged(reference, answer, lambda one, other: like(other, one))
        changed = first or second
    costs = with_context([[-like(one["text"], other["text"]) for other in reference] for one in answer])
    pairs = Assignment(costs, len(reference)).pairs()
    alike = [(row, column, like(answer[row]["text"], reference[column]["text"])) for row, column in pairs]
    return answer, reference, [pair for pair in alike if pair[2] >= LEAST_ALIKE]


def with_neighbours_merged(blocks, others, like):
    """The blocks after all merges that gain enough, the best first and each block in one; and whether there were any."""
    row = lambda text: [-like(text, other["text"]) for other in others]
    before = Assignment([row(block["text"]) for block in blocks], len(others))
    gains = []
    for at in range(len(blocks) - 1):
        together = merge(blocks[at], blocks[at + 1])
        after = before.exchanged({at: row(together["text"]), at + 1: None})
        gain = gain_of(before.costs(), after.costs())
        if gain > LEAST_GAIN:
            gains.append((gain, at))
    if not gains:
        return blocks, False
    return merge_all(blocks, [at for _, at in sorted(gains, key=lambda one: -one[0])]), True


def merge_all(blocks, starts):
    merged, used = list(blocks), set()
    for at in starts:
        if at in used or at + 1 in used:
            continue
        merged[at] = merge(blocks[at], blocks[at + 1])
        merged[at + 1] = None
        used |= {at, at + 1}
    return [block for block in merged if block is not None]


def merge(one, other):
    x, y = (min(one["bbox"][at], other["bbox"][at]) for at in (0, 1))
    right, bottom = (max(block["bbox"][at] + block["bbox"][at + 2] for block in (one, other)) for at in (0, 1))
    color = [(first + second) // 2 for first, second in zip(one["color"], other["color"])]
    return {"text": f"{one['text']} {other['text']}", "bbox": (x, y, right - x, bottom - y), "color": color}


def gain_of(before, after):
    """How much lower the mean of those costs is that are in one list alone; none if the lowest of them gets no lower."""
    old, new = Counter(before), Counter(after)
    gone, come = list((old - new).elements()), list((new - old).elements())
    gain = mean(gone) - mean(come)
    return 0.0 if gain > 0 and min(gone, default=0.0) <= min(come, default=0.0) else gain


def mean(values):
    return sum(values) / len(values) if values else 0.0


def with_context(costs):
    """A good pair is better where its neighbours are pairs too: a tenth of the two best costs around it is added."""
    return [[cost + bonus(costs, row, column) for column, cost in enumerate(line)] for row, line in enumerate(costs)]


def bonus(costs, row, column):
    if costs[row][column] >= -LEAST_ALIKE:
        return 0.0
    rows = costs[max(0, row - 1) : row + 2]
    around = sorted(cost for line in rows for cost in line[max(0, column - 1) : column + 2])
    around.remove(costs[row][column])
    return CONTEXT_BONUS * sum(around[:2])
