from vendor.rangeset.ranges import RangeSet

__all__ = ["RangeSet"]
