"""
Where the text of a page is, without reading pictures: each element's text gets a colour of its own, once and again a step
further. Pixels that differ by this step between the two pictures are text, and their colour says whose.
"""

from html_tree import Element, Markup, body_of

STEP = 50
VALUES = range(10, 251, 16)
# The elements whose text the official metric recolours.
TEXT_TAGS = frozenset(
    "p h1 h2 h3 h4 h5 h6 div span a b li table td th button footer header figcaption".split()
)


class TooManyElements(Exception):
    pass


def recolour(root, offset):
    """Changes the styles of all elements: no background colour, and each text in its own colour."""
    colours = colour_pool(offset)
    for element in root.elements():
        set_style(element, "background-color", "rgba(255, 255, 255, 0.0)")
    for element in root.elements():
        if element.name not in TEXT_TAGS:
            continue
        if not colours:
            raise TooManyElements(f"more than {len(VALUES) ** 3} elements have text")
        set_style(element, "color", colours.pop())
        set_style(element, "opacity", "1.0")


def colour_pool(offset):
    shifted = [(value + offset) % 256 for value in VALUES]
    return [f"#{r:02X}{g:02X}{b:02X}" for r in shifted for g in shifted for b in shifted]


def set_style(element, name, value):
    kept = [one for one in element.attributes.get("style", "").split(";") if one.strip() and not one.strip().startswith(name)]
    element.attributes["style"] = "; ".join([*kept, f"{name}: {value} !important"]).strip()


def texts(root, named):
    """
    Each text of the body with the colour that it should have, as `#RRGGBB`, in the page's order.
    @param named the `#RRGGBB` of a colour as style sheets name it; None if it is not a colour
    """
    body = body_of(root)
    found, waiting = [], [] if body is None else [(body, "#000000")]
    while waiting:
        node, colour = waiting.pop()
        if isinstance(node, Element):
            own = own_colour(node, named) or colour
            waiting.extend((child, own) for child in reversed(node.children))
        elif not isinstance(node, Markup) and node.strip():
            found.append((node.strip(), colour))
    return found


def own_colour(element, named):
    """By the last declaration that speaks of a colour, other than the background's: so the official metric reads styles."""
    styles = [one for one in element.attributes.get("style", "").split(";") if "color" in one and "background-color" not in one]
    if not styles:
        return None
    value = (styles[-1].split(":") + [""])[1].strip().replace(" !important", "")
    return value if value.startswith("#") else named(value)
