from vendor.tinynn.attention import Attention

__all__ = ["Attention"]
