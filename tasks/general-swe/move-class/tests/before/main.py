from geometry.packing import unit
from geometry.reading import read
from geometry.shapes import Circle as Round
from geometry.shapes import total

if __name__ == "__main__":
    shapes = [read("circle 2"), read("square 3"), Round(1), unit()]
    for shape in shapes:
        print(shape.line())
    print(f"Circle and all: {total(shapes):.2f}")
