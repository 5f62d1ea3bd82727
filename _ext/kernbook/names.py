"""Which names a cell gives to the cells after it, and which it takes from those before."""

import symtable


def given_and_taken(source):
    """
    Read a cell's names off its code.

    Parameters
    ----------
    source : str
        Python, without IPython's own commands.

    Returns
    -------
    given, taken : set of str
        What the cell binds at its top level; what it uses without binding it there.
    """
    table = symtable.symtable(source, "cell", "exec")
    given = {
        symbol.get_name() for symbol in table.get_symbols() if symbol.is_assigned() or symbol.is_imported()
    }
    return given, set(used(table)) - given


def used(table):
    """Name what this scope and those inside it use of the top level."""
    for symbol in table.get_symbols():
        if symbol.is_referenced() and (symbol.is_global() or table.get_type() == "module"):
            yield symbol.get_name()
    for inner in table.get_children():
        yield from used(inner)


def without(left_out, sources):
    """
    Follow what is missing once some cells are left out.

    Parameters
    ----------
    left_out : set of int
        Numbers of cells.
    sources : dict
        The code of all cells by number, in their order.

    Returns
    -------
    set of int
        Those, and the cells that need a name which then only they define.
    """
    left_out, missing = set(left_out), set()
    for number, source in sources.items():
        given, taken = given_and_taken(source)
        if taken & missing:
            left_out.add(number)
        missing = missing | given if number in left_out else missing - given
    return left_out
