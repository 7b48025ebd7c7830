from geometry import shapes

KINDS = {"circle": shapes.Circle, "square": shapes.Square}


def read(text: str) -> shapes.Shape:
    """`circle 2` is a Circle, `square 3` a Square."""
    kind, size = text.split()
    return KINDS[kind](float(size))
