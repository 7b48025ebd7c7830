from geometry.shapes import Circle, Square


def most(circle: Circle, squares: list[Square]) -> list[Square]:
    """The squares that go into the circle, each alone."""
    return [square for square in squares if circle.fits(square)]


def unit() -> Circle:
    return Circle(1)
