"""The explorers of the chapters, one module a chapter, named as the chapter's file is."""

__all__ = []
