"""Races of kernlib against other libraries, how its costs grow, and the record that the book shows."""
