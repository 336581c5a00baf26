"""Tests of how the encoder's constants are fitted; none needs PyTorch."""
