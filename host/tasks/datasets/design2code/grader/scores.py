"""The four scores of Design2Code that need no model, each 0 to 1."""

from ciede2000 import similarity
from matching import matched, mean, with_one_box_each

NAMES = ("block", "text", "position", "color")


def scores(answer, reference):
    """Scores of an answer's text blocks beside the reference's; all 0 where no text is the same."""
    answer, reference, pairs = matched(with_one_box_each(answer), with_one_box_each(reference))
    if not pairs:
        return dict.fromkeys(NAMES, 0.0)
    return {
        "block": block_score(answer, reference, pairs),
        "text": mean([alike for _, _, alike in pairs]),
        "position": mean([nearness(answer[one], reference[other]) for one, other, _ in pairs]),
        "color": mean([similarity(answer[one]["color"], reference[other]["color"]) for one, other, _ in pairs]),
    }


def block_score(answer, reference, pairs):
    """The area of blocks that have a partner, of the area of all."""
    paired = sum(area(answer[one]) for one, _, _ in pairs) + sum(area(reference[other]) for _, other, _ in pairs)
    of_all = sum(map(area, answer)) + sum(map(area, reference))
    # In another order the same areas may sum up to a little more.
    return min(1.0, paired / of_all)


def area(block):
    return block["bbox"][2] * block["bbox"][3]


def nearness(one, other):
    """One minus the larger distance of their centres, across or down, as a share of the page."""
    apart = [abs(centre(one, at) - centre(other, at)) for at in (0, 1)]
    return 1 - max(apart)


def centre(block, at):
    return block["bbox"][at] + block["bbox"][at + 2] / 2
