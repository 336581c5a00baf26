"""Reads a packed student back from its int8 graphs, to train on from where the shipped one stands."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper

from .export import embeddings, reader
from .net import Student


def _stored(graph: Path) -> dict[str, np.ndarray]:
    """The weights of a graph by name, int8 ones as the numbers they stand for."""
    model = onnx.load(str(graph))
    raw = {w.name: numpy_helper.to_array(w) for w in model.graph.initializer}
    found = {name: value for name, value in raw.items() if not name.endswith("_quantized")}
    for name in raw.keys() - found.keys():
        whole = name.removesuffix("_quantized")
        zero, scale = raw[f"{whole}_zero_point"], raw[f"{whole}_scale"]
        found[whole] = (raw[name].astype(np.float32) - zero.astype(np.float32)) * scale
    return found


def state(folder: Path, net: Student) -> dict[str, torch.Tensor]:
    """The packed student's weights by our names; `net` is a network of its shape.

    The graph's own names are numbers. A graph built from weights that hold nothing but their own number tells whose each is.
    """
    names = [name for name, _ in net.named_parameters()]
    shapes = {name: part.shape for name, part in net.named_parameters()}
    marked = {name: np.full(shapes[name], at + 0.5, np.float32) for at, name in enumerate(names)}
    found: dict[str, torch.Tensor] = {}
    for file, graph in (("embeddings", embeddings(marked)), ("encoder", reader(marked, "encoder"))):
        stored = _stored(folder / f"{file}.onnx")
        for weight in graph.graph.initializer:
            mark = numpy_helper.to_array(weight).ravel()
            if weight.data_type != onnx.TensorProto.FLOAT or mark[0] % 1 != 0.5:
                continue
            name = names[int(mark[0])]
            # A product's weights stand the other way round in a graph; a table's rows are its entries.
            value = stored[weight.name].T if file == "encoder" else stored[weight.name]
            found[name] = torch.from_numpy(np.array(value, np.float32))
    return found
