"""Rows are worked on in blocks, each once, whatever their number."""

import numpy as np
import pytest
from threadpoolctl import threadpool_info

from kernlib.blocks import TILE, for_row_blocks, tiles


@pytest.mark.parametrize("width", [1, 700, 2**17, 10**7])
@pytest.mark.parametrize("n", [1, 2, 187, 188, 5000])
def test_every_row_is_visited_once(n, width):
    visits = np.zeros(n, dtype=int)

    def visit(rows):
        visits[rows] += 1

    for_row_blocks(visit, n, width)
    assert (visits == 1).all()


def test_blas_has_one_thread_inside_and_its_own_number_again_after_it():
    def threads():
        return {lib["num_threads"] for lib in threadpool_info() if lib["user_api"] == "blas"}

    before, inside = threads(), []
    for_row_blocks(lambda rows: inside.append(threads()), 1000, 2**17)
    assert len(inside) == 1000 and all(seen == {1} for seen in inside)
    assert threads() == before


def test_an_error_in_a_block_reaches_the_caller():
    def fail(rows):
        raise ValueError(f"row {rows.start}")

    with pytest.raises(ValueError, match="row 0"):
        for_row_blocks(fail, 1000, 2**17)


SIZES = (1, TILE - 1, TILE, TILE + 1, 3 * TILE)


@pytest.mark.parametrize("m", SIZES)
@pytest.mark.parametrize("n", SIZES)
def test_tiles_cover_a_matrix_once(n, m):
    visits = np.zeros((n, m), dtype=int)
    for rows, columns in tiles(n, m):
        visits[rows, columns] += 1
    assert (visits == 1).all()


@pytest.mark.parametrize("n", SIZES)
def test_tiles_of_a_symmetric_matrix_and_their_mirrors_cover_it_once(n):
    visits = np.zeros((n, n), dtype=int)
    for rows, columns in tiles(n):
        visits[rows, columns] += 1
        if rows != columns:
            visits[columns, rows] += 1
    assert (visits == 1).all()
