"""What several methods stand on: blocks and threads, Gram matrices up to rounding, validation, progress."""

__all__ = []
