"""Writes the trained student as ONNX graphs with fused attention, and their int8 form with reduced range.

One graph holds the embeddings. On it stand two readers: the encoder, of a response to its prompt, and the comparer, of a
sentence held against a passage. The graphs are built by hand from the weights: every node is visible here, and batch is always one text window, so there
is no padding mask whose presence could change a bit.
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

from .net import HEAD_WIDTH, OUTPUTS, SPAN_INDEX
from .rows import SPAN

MS = "com.microsoft"
WIDTH = 384


class Graph:
    """Collects nodes and weights."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.count = 0

    def const(self, value: np.ndarray, name: str = "") -> str:
        """Add a weight and return its name."""
        self.count += 1
        name = name or f"c{self.count}"
        self.weights.append(numpy_helper.from_array(np.array(value, order="C"), name))
        return name

    def op(self, kind: str, *inputs: str, domain: str = "", out: str = "", **attributes) -> str:
        """Add a node and return its output's name."""
        self.count += 1
        out = out or f"{kind.lower()}{self.count}"
        self.nodes.append(
            helper.make_node(
                kind, list(inputs), [out], name=f"n{self.count}_{kind}", domain=domain, **attributes
            )
        )
        return out

    def linear(self, x: str, state: dict, name: str) -> str:
        """x W^T + b."""
        y = self.op(
            "MatMul", x, self.const(state[f"{name}.weight"].T.astype(np.float32), f"{name}.w")
        )
        return self.op("Add", y, self.const(state[f"{name}.bias"].astype(np.float32)))


def _norm(g: Graph, x: str, state: dict, name: str, out: str = "") -> str:
    return g.op(
        "LayerNormalization",
        x,
        g.const(state[name + ".weight"].astype(np.float32)),
        g.const(state[name + ".bias"].astype(np.float32)),
        out=out,
        axis=-1,
        epsilon=1e-12,
    )


def _values(name: str, kind: int, shape: list) -> onnx.ValueInfoProto:
    return helper.make_tensor_value_info(name, kind, shape)


IDS, SIDES = (_values(name, TensorProto.INT64, [1, "n"]) for name in ("ids", "sides"))
EMBEDDED = _values("embedded", TensorProto.FLOAT, [1, "n", WIDTH])


def _model(g: Graph, name: str, inputs: list, outputs: list) -> onnx.ModelProto:
    graph = helper.make_graph(g.nodes, f"fairwitness-{name}", inputs, outputs, g.weights)
    return helper.make_model(
        graph, opset_imports=[helper.make_opsetid("", 18), helper.make_opsetid(MS, 1)], ir_version=9
    )


def embeddings(state: dict[str, np.ndarray]) -> onnx.ModelProto:
    """The float32 graph of the embeddings: ids [1, n] and sides [1, n] in, states [1, n, width] out."""
    g, f32 = Graph(), lambda k: state[k].astype(np.float32)
    words = g.op("Gather", g.const(f32("word.weight"), "word"), "ids")
    sides = g.op("Gather", g.const(f32("side.weight")), "sides")
    length = g.op("Slice", g.op("Shape", "ids"), g.const(np.array([1])), g.const(np.array([2])))
    place = g.op(
        "Slice",
        g.const(f32("place.weight")),
        g.const(np.array([0])),
        length,
        g.const(np.array([0])),
    )
    _norm(g, g.op("Add", g.op("Add", words, sides), place), state, "norm", out="embedded")
    return _model(g, "embeddings", [IDS, SIDES], [EMBEDDED])


def layers(state: Iterable[str]) -> int:
    """How many layers a saved network has."""
    return len({name.split(".")[1] for name in state if name.startswith("blocks.")})


def reader(state: dict[str, np.ndarray], name: str) -> onnx.ModelProto:
    """The float32 graph of one reader: states and sides in; logits [heads] and token scores [n, spans] out."""
    g, f32, x = Graph(), lambda k: state[k].astype(np.float32), "embedded"
    for i in range(layers(state)):
        k = f"blocks.{i}."
        a = g.op(
            "Attention",
            x,
            g.const(f32(k + "qkv.weight").T, k + "qkv.w"),
            g.const(f32(k + "qkv.bias")),
            domain=MS,
            num_heads=len(state[k + "qkv.bias"]) // (3 * HEAD_WIDTH),
        )
        x = _norm(g, g.op("Add", x, g.linear(a, state, k + "proj")), state, k + "norm1")
        up = g.op("MatMul", x, g.const(f32(k + "up.weight").T, k + "up.w"))
        up = g.op("BiasGelu", up, g.const(f32(k + "up.bias")), domain=MS)
        x = _norm(g, g.op("Add", x, g.linear(up, state, k + "down")), state, k + "norm2")
    one, axis1 = g.const(np.array(1.0, np.float32)), g.const(np.array([1]))
    m1 = g.op("Unsqueeze", g.op("Cast", "sides", to=TensorProto.FLOAT), g.const(np.array([2])))
    m0 = g.op("Sub", one, m1)
    means = [
        g.op(
            "Div",
            g.op("ReduceSum", g.op("Mul", x, m), axis1, keepdims=0),
            g.op("ReduceSum", m, axis1, keepdims=0),
        )
        for m in (m0, m1)
    ]
    lead = g.op("Gather", x, g.const(np.array(0)), axis=1)
    pooled = g.op("Concat", lead, *means, axis=1)
    hidden = g.op("Gelu", g.linear(pooled, state, "heads.mix"), domain=MS)
    base = g.linear(hidden, state, "heads.out")
    tokens = g.linear(x, state, "heads.token")
    seen = g.op("Add", tokens, g.op("Mul", m0, g.const(np.array(-1e4, np.float32))))
    top = g.op("ReduceMax", seen, axis1, keepdims=1)
    total = g.op("Log", g.op("ReduceSum", g.op("Exp", g.op("Sub", seen, top)), axis1, keepdims=0))
    hot = g.op("Add", total, g.op("Squeeze", top, axis1))
    hot = g.op("Sub", hot, g.op("Log", g.op("ReduceSum", m1, axis1, keepdims=0)))
    spread = np.zeros((len(SPAN), OUTPUTS), np.float32)
    spread[np.arange(len(SPAN)), SPAN_INDEX] = 1
    logits = g.op("Add", base, g.op("MatMul", hot, g.const(spread, "spread")))
    g.op("Squeeze", logits, g.const(np.array([0])), out="logits")
    g.op("Squeeze", tokens, g.const(np.array([0])), out="tokens")
    logits, tokens = (
        _values(said, TensorProto.FLOAT, shape)
        for said, shape in (("logits", [OUTPUTS]), ("tokens", ["n", len(SPAN)]))
    )
    return _model(g, name, [EMBEDDED, SIDES], [logits, tokens])


def quantise(source: Path, target: Path) -> None:
    """Dynamic int8, per channel, reduced range; the small head products stay float32."""
    from onnxruntime.quantization import QuantType, quantize_dynamic

    model = onnx.load(str(source))
    small = {
        w.name for w in model.graph.initializer if w.name.startswith("heads.") or w.name == "spread"
    }
    keep = [n.name for n in model.graph.node if n.op_type == "MatMul" and small & set(n.input)]
    sides = [n.name for n in model.graph.node if n.op_type == "Gather" and "word" not in n.input]
    quantize_dynamic(
        str(source),
        str(target),
        per_channel=True,
        reduce_range=True,
        weight_type=QuantType.QInt8,
        op_types_to_quantize=["MatMul", "Attention", "Gather"],
        nodes_to_exclude=keep + sides,
        extra_options={"DefaultTensorType": TensorProto.FLOAT},
    )


def export(student: Path, compared: Path, folder: Path) -> None:
    """From a saved student, and the saved layers of its comparer, to their float32 and int8 graphs."""
    import torch

    state, own = (
        {k: v.float().numpy() for k, v in torch.load(saved, map_location="cpu").items()}
        for saved in (student, compared)
    )
    folder.mkdir(parents=True, exist_ok=True)
    graphs = {
        "embeddings": embeddings(state),
        "encoder": reader(state, "encoder"),
        "comparer": reader({**state, **own}, "comparer"),
    }
    for name, graph in graphs.items():
        full = folder / f"{name}.fp32.onnx"
        onnx.save(graph, str(full))
        quantise(full, folder / f"{name}.onnx")
