"""What the pages of the book need: self-checks, explorers and their engine, data sets, checked claims."""

__all__ = []
