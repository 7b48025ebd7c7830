"""Attention in NumPy: a small library, kept with the project."""

from __future__ import annotations

import numpy as np


def softmax(x: np.ndarray) -> np.ndarray:
    e = np.exp(x - x.max(axis=-1, keepdims=True))
    return e / e.sum(axis=-1, keepdims=True)


class Attention:
    """Heads that look at a sequence: tokens by features in, the same out."""

    def __init__(self, features: int, heads: int, seed: int) -> None:
        if features % heads:
            raise ValueError("the features can't be shared equally by the heads")
        self.heads, self.size = heads, features // heads
        rng = np.random.default_rng(seed)
        self.q, self.k, self.v = rng.normal(size=(3, features, features)) / features**0.5

    def split(self, x: np.ndarray) -> np.ndarray:
        """Tokens by features to heads by tokens by size."""
        return x.reshape(len(x), self.heads, self.size).transpose(1, 0, 2)

    def merge(self, x: np.ndarray) -> np.ndarray:
        return x.transpose(1, 0, 2).reshape(x.shape[1], -1)

    def __call__(self, x: np.ndarray) -> np.ndarray:
        q, k, v = (self.split(x @ weights) for weights in (self.q, self.k, self.v))
        scores = q @ k.transpose(2, 1, 0) / self.size**0.5
        return self.merge(softmax(scores) @ v)
