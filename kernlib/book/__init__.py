"""What the pages need: self-checks, explorers and their engine, data sets, tables, checked claims."""

__all__ = []
