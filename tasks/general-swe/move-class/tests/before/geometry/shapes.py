"""Shapes in a plane: Square, Circle."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod


class Shape(ABC):
    name = "shape"

    @abstractmethod
    def area(self) -> float: ...

    def line(self) -> str:
        return f"{self.name} {self.area():.2f}"


class Square(Shape):
    name = "square"

    def __init__(self, side: float) -> None:
        self.side = side

    def area(self) -> float:
        return self.side**2


class Circle(Shape):
    """A circle about its place."""

    name = "circle"

    def __init__(self, radius: float) -> None:
        if radius < 0:
            raise ValueError("a Circle has no negative radius")
        self.radius = radius

    def area(self) -> float:
        return math.pi * self.radius**2

    def fits(self, other: Square) -> bool:
        return math.hypot(other.side, other.side) <= 2 * self.radius


def total(shapes: list[Shape]) -> float:
    return sum(shape.area() for shape in shapes)
