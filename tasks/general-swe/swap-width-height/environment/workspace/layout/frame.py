"""Frames on a page: a frame's width runs across the page, its height down."""

from dataclasses import dataclass


@dataclass
class Frame:
    width: int
    height: int

    @property
    def area(self) -> int:
        return self.width * self.height

    def is_tall(self) -> bool:
        return self.height > self.width

    def label(self) -> str:
        # First the width, then the height.
        return f"width {self.width} x height {self.height}"
