"""Kernel methods at scale: the mathematics that the book's chapters call."""

__version__ = "0.1.0"
