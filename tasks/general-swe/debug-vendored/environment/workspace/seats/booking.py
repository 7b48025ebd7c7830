"""Which seats of a row are taken."""

from vendor.rangeset import RangeSet


def taken(bookings: list[tuple[int, int]], returned: list[tuple[int, int]]) -> RangeSet:
    seats = RangeSet()
    for first, last in bookings:
        seats.add(first, last)
    for first, last in returned:
        seats.remove(first, last)
    return seats


def summary(bookings, returned) -> str:
    seats = taken(bookings, returned)
    blocks = ", ".join(f"{first}-{last}" for first, last in seats.ranges())
    return f"{len(seats)} seats in {len(seats.ranges())} blocks: {blocks}"
