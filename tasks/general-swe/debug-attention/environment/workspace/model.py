"""Reads numbers off a sequence."""

import numpy as np

from vendor.tinynn import Attention


def sequence(tokens: int, features: int, seed: int) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=(tokens, features))


def means(tokens: int, features: int, heads: int, seed: int) -> list[float]:
    attention = Attention(features, heads, seed)
    return attention(sequence(tokens, features, seed)).mean(axis=0).tolist()
