#!/usr/bin/python3
# SPDX-License-Identifier: Apache-2.0
"""Writes training_losses.csv: losses of 20 SGD steps, as PyTorch computes them.

Run it with a Python that has torch and numpy: python3 src/training/torch/training_losses.py
Weights and images come from the formulas of src/training/fresh_weights.h and synthetic_images.h, so
that src/training/torch/parity_test.cpp starts from the same numbers without a file of them.
"""
import math
import pathlib

import numpy as np
import torch
from torch import nn

STEPS, BATCH, CLASSES = 20, 16, 10
SEED_OF_WEIGHTS, SEED_OF_IMAGES = 7, 11
MOMENTUM, DECAY = 0.9, 5e-4
# Fresh MobileNetV2s have gradients that grow from layer to layer: at larger rates float32 and float64, or
# two layouts of memory, lead PyTorch itself to losses that differ by percents after 20 steps.
RATE_OF_VGG11, RATE_OF_MOBILENETV2 = 1e-3, 5e-6


def mix(x):
    x = x + np.uint64(0x9E3779B97F4A7C15)
    x = (x ^ (x >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
    x = (x ^ (x >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return x ^ (x >> np.uint64(31))


def bits(seed, run, stream, count):
    """CounterRng(seed).bits({run, stream, 0 … count − 1})."""
    key = mix(np.array([seed], np.uint64)) ^ np.uint64(run)
    key = mix(key) ^ np.uint64(stream)
    return mix(mix(key) ^ np.arange(count, dtype=np.uint64))


def fnv1a(text):
    value = 0xCBF29CE484222325
    for byte in text.encode():
        value = ((value ^ byte) * 0x100000001B3) % 2**64
    return value


def fresh(name, shape, gain):
    count = math.prod(shape)
    uniform = ((bits(SEED_OF_WEIGHTS, fnv1a(name), 0, count) >> np.uint64(11)).astype(np.float64) + 0.5) * 2.0**-53
    bound = math.sqrt(gain / (count // shape[0]))
    return torch.from_numpy(((2 * uniform - 1) * bound).astype(np.float32)).reshape(shape)


def striped_images():
    count = STEPS * BATCH
    labels = (bits(SEED_OF_IMAGES, 0, 2, count) % np.uint64(CLASSES)).astype(np.int64)
    pixels = (bits(SEED_OF_IMAGES, 0, 1, count * 3072) >> np.uint64(56)).reshape(count, 96, 32)
    bright = np.arange(96) % CLASSES == labels[:, None]
    pixels = pixels // np.uint64(2) + np.uint64(128) * bright[:, :, None].astype(np.uint64)
    images = (pixels.astype(np.float64) / 255 - 0.5) / 0.25
    return torch.from_numpy(images.astype(np.float32)).reshape(count, 3, 32, 32), torch.from_numpy(labels)


def scaled(channels, width):
    rounded = max(8, int(channels * width + 4) // 8 * 8)
    return rounded + 8 if rounded < 0.9 * channels * width else rounded


class Vgg11(nn.Module):
    def __init__(self, width):
        super().__init__()
        self.order, channels = [], 3
        for number, step in enumerate([64, 128, 256, 256, 512, 512, 512, 512], 1):
            out = scaled(step, width)
            self.add_module(f"conv{number}", nn.Conv2d(channels, out, 3, padding=1, bias=False))
            self.add_module(f"conv{number}_norm", nn.BatchNorm2d(out))
            self.order += [f"conv{number}", f"conv{number}_norm", "relu"]
            if number in (1, 2, 4, 6, 8):
                self.order.append("pool")
            channels = out
        self.classifier = nn.Linear(channels, CLASSES)

    def forward(self, x):
        for name in self.order:
            if name == "relu":
                x = torch.relu(x)
            elif name == "pool":
                x = nn.functional.max_pool2d(x, 2)
            else:
                x = self.get_submodule(name)(x)
        return self.classifier(x.flatten(1))


class MobileNetV2(nn.Module):
    STAGES = [(1, 16, 1, 1), (6, 24, 2, 1), (6, 32, 3, 2), (6, 64, 4, 2), (6, 96, 3, 1), (6, 160, 3, 2), (6, 320, 1, 1)]

    def __init__(self, width):
        super().__init__()
        channels = scaled(32, width)
        self.add("stem", 3, channels, 3, 1, 1)
        self.blocks = []
        for stage, (expansion, wanted, count, stride) in enumerate(self.STAGES, 1):
            for i in range(count):
                name, out, s = f"stage{stage}_block{i + 1}", scaled(wanted, width), stride if i == 0 else 1
                inner = channels * expansion
                if expansion > 1:
                    self.add(name + "_expand", channels, inner, 1, 1, 1)
                self.add(name + "_filter", inner, inner, 3, s, inner)
                self.add(name + "_project", inner, out, 1, 1, 1)
                self.blocks.append((name, expansion > 1, s == 1 and channels == out))
                channels = out
        head = scaled(1280, width)
        self.add("head", channels, head, 1, 1, 1)
        self.classifier = nn.Linear(head, CLASSES)

    def add(self, name, channels, out, kernel, stride, groups):
        self.add_module(name, nn.Conv2d(channels, out, kernel, stride, kernel // 2, groups=groups, bias=False))
        self.add_module(name + "_norm", nn.BatchNorm2d(out))

    def run(self, name, x):
        return self.get_submodule(name + "_norm")(self.get_submodule(name)(x))

    def forward(self, x):
        relu6 = nn.functional.relu6
        x = relu6(self.run("stem", x))
        for name, widens, adds in self.blocks:
            y = relu6(self.run(name + "_expand", x)) if widens else x
            y = self.run(name + "_project", relu6(self.run(name + "_filter", y)))
            x = x + y if adds else y
        x = relu6(self.run("head", x))
        return self.classifier(x.mean((2, 3)))


def losses(model, rate, images, labels):
    with torch.no_grad():
        for name, parameter in model.named_parameters():
            if parameter.dim() > 1:
                parameter.copy_(fresh(name, tuple(parameter.shape), 1 if name == "classifier.weight" else 6))
        model.classifier.bias.zero_()
    optimiser = torch.optim.SGD(model.parameters(), rate, MOMENTUM, weight_decay=DECAY)
    for step in range(STEPS):
        part = slice(step * BATCH, (step + 1) * BATCH)
        optimiser.zero_grad()
        loss = nn.functional.cross_entropy(model(images[part]), labels[part])
        loss.backward()
        optimiser.step()
        yield loss.item()


def main():
    torch.set_num_threads(1)
    images, labels = striped_images()
    images = images.contiguous(memory_format=torch.channels_last)
    models = [(Vgg11(0.125), RATE_OF_VGG11), (MobileNetV2(0.1), RATE_OF_MOBILENETV2)]
    columns = [list(losses(model.to(memory_format=torch.channels_last), rate, images, labels)) for model, rate in models]
    lines = ["vgg11,mobilenetv2"] + [f"{a:.7f},{b:.7f}" for a, b in zip(*columns)]
    (pathlib.Path(__file__).parent / "training_losses.csv").write_text("\n".join(lines) + "\n")


main()
