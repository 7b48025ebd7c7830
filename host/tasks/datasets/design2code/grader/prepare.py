"""
How the official metric changes an answer before it looks at it. It cuts off endless repetitions. Some pages to
copy repeat themselves too, if only in white space; where the guard would change such a page, answers are left whole.
"""

import difflib
import re

from html_tree import Element, parse, write

CHUNK = 100
MOST_ALIKE = 5
ALIKE = 0.8
MOST_ELEMENTS = 50


def prepared(text, guarded):
    """A whole document, as its tree is written."""
    text = without_repetition(text) if guarded else text
    if not re.search(r"<html[^>]*>", text, re.IGNORECASE):
        text = f"<html><body><p>{text}</p></body></html>"
    root = parse(text)
    if guarded:
        drop_repeated_elements(root)
    return write(root)


def survives(text):
    """Whether the guard would leave a page as it is."""
    return without_repetition(text) == text and not drop_repeated_elements(parse(text))


def without_repetition(text):
    """The page up to the first chunk of text, without tags, that four later ones resemble."""
    places = places_of_text(text)
    plain = "".join(text[place] for place in places)
    start = repetition_start([plain[at : at + CHUNK] for at in range(0, len(plain), CHUNK)])
    return text if start is None else text[: places[start]]


def places_of_text(text):
    """The place of each character outside of tags."""
    places, at = [], 0
    for tag in re.finditer(r"<.*?>", text):
        places.extend(range(at, tag.start()))
        at = tag.end()
    return [*places, *range(at, len(text))]


def repetition_start(chunks):
    """Where the first of this many similar chunks begins; None if there are not that many."""
    seen, starts = [], []
    for index, chunk in enumerate(chunks):
        like = next((indexes for matcher, indexes in seen if is_like(chunk, matcher)), None)
        if like is None:
            seen.append((difflib.SequenceMatcher(None, "", chunk), [index]))
            continue
        like.append(index)
        if len(like) >= MOST_ALIKE:
            starts.append(like[0] * CHUNK)
    return min(starts, default=None)


def is_like(chunk, matcher):
    matcher.set_seq1(chunk)
    return all(ratio() >= ALIKE for ratio in (matcher.real_quick_ratio, matcher.quick_ratio, matcher.ratio))


def drop_repeated_elements(root):
    """Keeps fifty of elements that are identical. Returns how many are dropped."""
    counts, dropped = {}, 0
    waiting = [(root, child) for child in reversed(root.children)]
    while waiting:
        parent, one = waiting.pop()
        if not isinstance(one, Element):
            continue
        text = write(one)
        counts[text] = counts.get(text, 0) + 1
        if counts[text] > MOST_ELEMENTS:
            dropped += 1
            parent.children = [child for child in parent.children if child is not one]
        else:
            waiting.extend((one, child) for child in reversed(one.children))
    return dropped
