"""All explorers of the book, by name."""

import pkgutil
from importlib import import_module

from kernlib.book import explorers
from kernlib.book.explore import Explorer
from kernlib.book.explorers.lab import price_of_a_second, read_record, synthesis

NAMES = [module.name for module in pkgutil.iter_modules(explorers.__path__)]
MODULES = [import_module(f"kernlib.book.explorers.{name}") for name in NAMES]
EXPLORERS = {
    explorer.name: explorer
    for explorer in (
        *(what for module in MODULES for what in vars(module).values()),
        *(make(read_record()) for make in (synthesis, price_of_a_second)),
    )
    if isinstance(explorer, Explorer)
}
