"""Contrast of colors, as the web's accessibility guidelines define it."""

import numpy as np
from matplotlib.colors import to_rgb


def luminance(color):
    """Compute the relative luminance of a color, written as matplotlib takes it."""
    share = np.array(to_rgb(color))
    linear = np.where(share <= 0.04045, share / 12.92, ((share + 0.055) / 1.055) ** 2.4)
    return linear @ [0.2126, 0.7152, 0.0722]


def contrast(one, other):
    """Compute the contrast ratio of two colors."""
    low, high = sorted(map(luminance, (one, other)))
    return (high + 0.05) / (low + 0.05)
