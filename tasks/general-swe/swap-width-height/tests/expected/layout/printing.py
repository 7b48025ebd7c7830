from layout.frame import Frame
from layout.page import as_record


def show(frame: Frame) -> str:
    record = as_record(frame)
    shape = "tall" if frame.is_tall() else "wide"
    return f"{frame.label()}: {shape}, {frame.height / frame.width:.2f}, {record['width']}/{record['height']}"
