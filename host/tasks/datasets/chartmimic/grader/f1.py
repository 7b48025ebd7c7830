"""The four scores of ChartMimic that need no model: F1 of texts, layout, types of charts and colours, each 0 to 1."""

from collections import Counter

from assignment import Assignment
from ciede2000 import similarity

# Where a chart has more colours than this, those that look like an earlier one are left out.
MANY_COLOURS = 10
LOOKS_LIKE = 0.7


def scores(answer, reference):
    """None where the reference has nothing, e.g. no text: that says nothing of any answer."""
    found = {
        "text": f1_of_counts(Counter(answer["texts"]), Counter(reference["texts"])),
        "layout": f1_of_counts(Counter(map(tuple, answer["layout"])), Counter(map(tuple, reference["layout"]))),
        "type": f1_of_counts(Counter(answer["types"]), Counter(reference["types"])),
        "color": f1_of_colours(distinct(answer["colors"]), distinct(reference["colors"])),
    }
    parts = {"text": "texts", "layout": "layout", "type": "types", "color": "colors"}
    return {name: score if reference[parts[name]] else None for name, score in found.items()}


def f1(right, found, wanted):
    """0 where nothing is found, or nothing is wanted."""
    if not found or not wanted:
        return 0.0
    precision, recall = right / found, right / wanted
    return 2 * precision * recall / (precision + recall) if right else 0.0


def f1_of_counts(found, wanted):
    return f1((found & wanted).total(), found.total(), wanted.total())


def f1_of_colours(found, wanted):
    """Colours count as right by how alike they look; those of one plotting function are paired for the best sum."""
    groups = {key for key, _ in found} & {key for key, _ in wanted}
    right = sum(alike([one for name, one in found if name == key], [one for name, one in wanted if name == key]) for key in groups)
    return f1(right, len(found), len(wanted))


def alike(found, wanted):
    return -sum(Assignment([[-likeness(one, other) for other in wanted] for one in found], len(wanted)).costs())


def likeness(one, other):
    """How alike two colours `#RRGGBB` are; names of colour maps are the same or not."""
    if one.startswith("#") and other.startswith("#"):
        return similarity(rgb_of(one), rgb_of(other))
    return 1.0 if one == other else 0.0


def rgb_of(colour):
    return [int(colour[at : at + 2], 16) for at in (1, 3, 5)]


def distinct(colours):
    if len(colours) <= MANY_COLOURS:
        return colours
    kept = []
    for key, colour in colours:
        if all(likeness(colour, other) <= LOOKS_LIKE for _, other in kept):
            kept.append((key, colour))
    return kept
