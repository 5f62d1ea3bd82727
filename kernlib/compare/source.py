"""An estimator as the code that builds it anew, unfitted.

Chapter: Your own data.
"""

import inspect
import textwrap
from dataclasses import fields

from sklearn.base import BaseEstimator

from kernlib.kernels import Kernel

__all__ = ["source_of"]

WIDTH = 76  # of a line, beyond which an expression is broken


def source_of(estimator, name="pipeline"):
    """Write the imports and the assignment that build an estimator with the same parameters."""
    taken = {}
    expression = write(estimator, taken, "")
    modules = {}
    for label, module in taken.items():
        modules.setdefault(module, []).append(label)
    imports = [f"from {module} import {', '.join(sorted(modules[module]))}" for module in sorted(modules)]
    return "\n".join([*imports, "", f"{name} = {expression}"])


def write(value, taken, indent):
    """Write a value as an expression, with what is not a default, and note the classes it takes."""
    if isinstance(value, BaseEstimator):
        defaults = inspect.signature(type(value)).parameters
        set_ = {
            key: given
            for key, given in value.get_params(deep=False).items()
            if repr(given) != repr(defaults[key].default)
        }
        return call(value, set_, taken, indent)
    if isinstance(value, Kernel):
        return call(value, {field.name: getattr(value, field.name) for field in fields(value)}, taken, indent)
    if isinstance(value, list) and all(isinstance(item, str | int) for item in value):
        return textwrap.fill(
            repr(value), WIDTH, initial_indent=indent, subsequent_indent=indent + " "
        ).strip()
    if isinstance(value, list | tuple):
        opening, closing = "[]" if isinstance(value, list) else ("(", ",)" if len(value) == 1 else ")")
        return broken(opening, [("", item) for item in value], closing, taken, indent)
    return repr(value.item() if hasattr(value, "item") else value)


def call(value, parameters, taken, indent):
    """Write the call of a class; its module is the first that is public."""
    cls = type(value)
    parts = cls.__module__.split(".")
    private = next((i for i, part in enumerate(parts) if part.startswith("_")), len(parts))
    taken[cls.__name__] = ".".join(parts[: 2 if parts[0] == "kernlib" else private])
    arguments = [(f"{key}=", given) for key, given in parameters.items()]
    return broken(f"{cls.__name__}(", arguments, ")", taken, indent)


def broken(opening, items, closing, taken, indent):
    """Write items between brackets: in one line where they fit, else one below the other."""
    inner = indent + "    "
    written = [label + write(item, taken, inner) for label, item in items]
    line = opening + ", ".join(written) + closing
    if len(indent + line) <= WIDTH and "\n" not in line:
        return line
    return "\n".join([opening, *(f"{inner}{item}," for item in written), indent + closing.lstrip(",")])
