from layout.frame import Frame
from layout.page import as_record, grow, stack
from layout.printing import show


def test_stack():
    whole = stack([Frame(4, 3), Frame(6, 2)])
    assert (whole.height, whole.width) == (6, 5)
    assert whole.area == 30


def test_grow():
    frame = Frame(4, 3)
    grow(frame, 1)
    assert as_record(frame) == {"width": 6, "height": 5}
    assert frame.width == 5


def test_show():
    assert show(Frame(4, 2)) == "width 4 x height 2: wide, 2.00, 4/2"
