from layout.frame import Frame


def as_record(frame: Frame) -> dict[str, int]:
    return {"width": frame.width, "height": frame.height}


def stack(frames: list[Frame]) -> Frame:
    """As wide as the widest, as high as all: width and height of the whole."""
    return Frame(max(frame.width for frame in frames), sum(frame.height for frame in frames))


def grow(frame: Frame, margin: int) -> None:
    frame.width += 2 * margin
    frame.height += 2 * margin
