"""Decks of slides, made from the pages of the built book: which parts of a page, and how they are written."""
