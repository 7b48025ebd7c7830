"""How different two colours look: CIEDE2000 (Sharma, Wu and Dalal, 2005), in the form that official graders use."""

import math

# sRGB to XYZ, D65; and the white of D65 for an observer at two degrees.
TO_XYZ = ((0.412424, 0.357579, 0.180464), (0.212656, 0.715158, 0.0721856), (0.0193324, 0.119193, 0.950444))
WHITE = (0.95047, 1.0, 1.08883)
EPSILON, KAPPA = 216 / 24389, 24389 / 27
FAR = 25.0**7


def lab(rgb):
    """CIE L*a*b* of a colour given as red, green and blue from 0 to 255."""
    linear = [to_linear(min(max(value, 0), 255) / 255) for value in rgb]
    x, y, z = (f(sum(a * b for a, b in zip(row, linear)) / white) for row, white in zip(TO_XYZ, WHITE))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def to_linear(value):
    return value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4


def f(value):
    return value ** (1 / 3) if value > EPSILON else (KAPPA * value + 16) / 116


def delta_e(one, other):
    """CIEDE2000 of two colours in L*a*b*."""
    (l1, a1, b1), (l2, a2, b2) = one, other
    g = 0.5 * (1 - chroma_weight((math.hypot(a1, b1) + math.hypot(a2, b2)) / 2))
    a1, a2 = (1 + g) * a1, (1 + g) * a2
    c1, c2 = math.hypot(a1, b1), math.hypot(a2, b2)
    h1, h2 = hue(a1, b1), hue(a2, b2)
    turn = hue_turn(h1, h2) if c1 * c2 else 0.0
    dh = 2 * math.sqrt(c1 * c2) * math.sin(math.radians(turn) / 2)
    lightness, chroma = (l1 + l2) / 2, (c1 + c2) / 2
    mean_hue = hue_mean(h1, h2) if c1 * c2 else h1 + h2
    t = (
        1
        - 0.17 * cosine(mean_hue - 30)
        + 0.24 * cosine(2 * mean_hue)
        + 0.32 * cosine(3 * mean_hue + 6)
        - 0.20 * cosine(4 * mean_hue - 63)
    )
    off = (lightness - 50) ** 2
    by_l = (l2 - l1) / (1 + 0.015 * off / math.sqrt(20 + off))
    by_c = (c2 - c1) / (1 + 0.045 * chroma)
    by_h = dh / (1 + 0.015 * chroma * t)
    turned = math.sin(math.radians(60 * math.exp(-(((mean_hue - 275) / 25) ** 2))))
    return math.sqrt(by_l**2 + by_c**2 + by_h**2 - 2 * chroma_weight(chroma) * turned * by_c * by_h)


def chroma_weight(chroma):
    return math.sqrt(chroma**7 / (chroma**7 + FAR))


def hue(a, b):
    """In degrees, 0 for grey."""
    return math.degrees(math.atan2(b, a)) % 360 if a or b else 0.0


def hue_turn(h1, h2):
    """The shorter way from one hue to the other."""
    turn = h2 - h1
    return turn - 360 if turn > 180 else turn + 360 if turn < -180 else turn


def hue_mean(h1, h2):
    if abs(h1 - h2) <= 180:
        return (h1 + h2) / 2
    return (h1 + h2 + 360) / 2 if h1 + h2 < 360 else (h1 + h2 - 360) / 2


def cosine(degrees):
    return math.cos(math.radians(degrees))


def similarity(rgb, other):
    """1 for the same colour, 0 for one that is 100 or more away; red, green and blue from 0 to 255."""
    return max(0.0, 1 - delta_e(lab(rgb), lab(other)) / 100)
