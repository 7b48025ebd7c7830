from geometry.packing import most, unit
from geometry.reading import read
from geometry.shapes import Square, total


def test_reading():
    assert read("circle 2").line() == "circle 12.57"
    assert read("square 3").line() == "square 9.00"


def test_packing():
    assert [square.side for square in most(unit(), [Square(1), Square(2)])] == [1]
    assert round(total([unit(), Square(2)]), 2) == 7.14
