"""Frames on a page: a frame's width runs across the page, its height down."""

from dataclasses import dataclass


@dataclass
class Frame:
    height: int
    width: int

    @property
    def area(self) -> int:
        return self.height * self.width

    def is_tall(self) -> bool:
        return self.width > self.height

    def label(self) -> str:
        # First the width, then the height.
        return f"width {self.height} x height {self.width}"
