"""Runs the network on a signal of every sensor. Fails for one of them."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

from model.layers import Mix, Pool, Spectrum, Windows


def network(settings: dict) -> list:
    size = settings["rate"] // settings["divide"]
    bands = (size // 2 + 1) // settings["pool"]
    return [
        Windows(size, max(1, size // settings["overlap"])),
        Spectrum(),
        Pool(settings["pool"]),
        Mix(bands, settings["outputs"], seed=settings["rate"]),
    ]


def run(settings: dict) -> np.ndarray:
    rng = np.random.default_rng(settings["rate"])
    x = rng.normal(size=(settings["channels"], settings["rate"] * settings["seconds"]))
    for layer in network(settings):
        x = layer(x)
    return x


if __name__ == "__main__":
    for settings in json.loads((Path(__file__).parent / "sensors.json").read_text()):
        print(settings["name"], run(settings).shape)
