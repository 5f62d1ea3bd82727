"""Races of kernlib against the libraries that compute the same, and how its costs grow."""
