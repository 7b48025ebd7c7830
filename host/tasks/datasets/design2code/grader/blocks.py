"""
The text blocks of a page: text, box as shares of the page, mean colour. It runs in a sandbox of its own, which has this
page and nothing else; what it prints is data.

Reads {"html", "guard", "image"} as JSON: the page; "apply" or "skip" for an answer, "try" for the page to copy; rick.jpg
in base64. Prints {"blocks": [{"text", "bbox", "color"}]}, with "survives" for the page to copy, or {"problem": why there
are no blocks}.
"""

import base64
import io
import json
import os
import sys

import numpy
from PIL import Image, ImageColor

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from browser import Browser, CannotDraw  # noqa: E402
from html_tree import body_of, parse, write  # noqa: E402
from prepare import prepared, survives  # noqa: E402
from recolour import STEP, TooManyElements, recolour, texts  # noqa: E402
from served import Served  # noqa: E402

# In a channel's 256 values: how much one text's colour may differ within a picture, and from one picture to the other.
SAME_COLOUR, SAME_STEP = 4, 8
SITE = "/tmp/site"


def main():
    asked = json.load(sys.stdin)
    html, guard = asked["html"], asked["guard"]
    os.makedirs(SITE, exist_ok=True)
    if asked["image"]:
        with open(f"{SITE}/rick.jpg", "wb") as file:
            file.write(base64.b64decode(asked["image"]))
    try:
        is_reference = guard == "try"
        found = blocks_of(html if is_reference else prepared(html, guard == "apply"))
        print(json.dumps({"blocks": found, **({"survives": survives(html)} if is_reference else {})}))
    except (CannotDraw, TooManyElements, RecursionError) as error:
        print(json.dumps({"problem": str(error)}))


def blocks_of(html):
    once, again = parse(html), parse(html)
    if body_of(once) is None:
        raise CannotDraw("the page has no body element")
    recolour(once, 0)
    recolour(again, STEP)
    with Served(SITE) as address, Browser() as browser:
        plain, first, second = (pixels(browser, f"{address}/{name}", text) for name, text in pages(html, once, again))
    if first.shape != second.shape:
        raise CannotDraw("the page has another size each time it is drawn")
    return blocks(plain, first, second, texts(once, hex_of))


def pages(html, once, again):
    return [("page.html", html), ("once.html", write(once)), ("again.html", write(again))]


def pixels(browser, url, html):
    with open(f"{SITE}/{url.rsplit('/', 1)[1]}", "w", encoding="utf-8", errors="surrogateescape") as file:
        file.write(html)
    Image.MAX_IMAGE_PIXELS = None
    return numpy.array(Image.open(io.BytesIO(browser.shot(url))).convert("RGB")).astype(numpy.int16)


def blocks(plain, first, second, wanted):
    """A block for each text that is seen, in the page's order."""
    is_text = (abs((first + STEP) % 256 - second) <= SAME_STEP).all(axis=2)
    rows, columns = is_text.nonzero()
    colours = first[rows, columns]
    height, width, _ = first.shape
    places, result = {}, []
    for text, colour in wanted:
        if colour not in places:
            near = (abs(colours - numpy.array(rgb_of(colour))) <= SAME_COLOUR).all(axis=1).nonzero()[0]
            places[colour] = near
        near = places[colour]
        if len(near) == 0:
            continue
        ys, xs = rows[near], columns[near]
        if ys.max() >= plain.shape[0] or xs.max() >= plain.shape[1]:
            raise CannotDraw("the recoloured page is larger than the page itself")
        left, right, top, bottom = int(xs.min()), int(xs.max()), int(ys.min()), int(ys.max())
        box = [left / width, top / height, (right - left + 1) / width, (bottom - top + 1) / height]
        colour = [int(value) for value in plain[ys, xs].mean(axis=0)]
        result.append({"text": text.lower(), "bbox": box, "color": colour})
    return result


def rgb_of(colour):
    digits = colour.lstrip("#")
    try:
        return [int(digits[at : at + 2], 16) for at in (0, 2, 4)]
    except ValueError:
        return [-1000] * 3


def hex_of(value):
    try:
        rgb = tuple(int(part) for part in value[4:-1].split(",")) if value.startswith("rgb") else ImageColor.getrgb(value)
        return "#" + "".join(f"{part:02x}" for part in rgb)
    except ValueError:
        return None


if __name__ == "__main__":
    main()
