"""Write the code that builds an estimator.

scikit-learn's ``repr`` names no imports and cuts lists of more than 30 columns.
"""

import inspect
from dataclasses import fields

from sklearn.base import BaseEstimator

from kernlib.kernels import Kernel

__all__ = ["source_of"]

WIDTH = 76  # a longer expression is broken into several lines


def source_of(estimator: BaseEstimator, name: str = "pipeline") -> str:
    """Return the imports and the assignment that build an unfitted estimator with the same parameters."""
    modules: dict[str, set[str]] = {}
    expression = write(estimator, modules, "")
    imports = [f"from {module} import {', '.join(sorted(modules[module]))}" for module in sorted(modules)]
    return "\n".join([*imports, "", f"{name} = {expression}"])


def write(value, modules, indent):
    """Return a value as an expression, and add the classes in it to those of their modules."""
    inner = indent + "    "
    if isinstance(value, BaseEstimator | Kernel):
        cls = type(value)
        modules.setdefault(public_module(cls), set()).add(cls.__name__)
        arguments = [f"{key}={write(given, modules, inner)}" for key, given in list_parameters(value).items()]
        return bracket(f"{cls.__name__}(", arguments, ")", indent)
    if inspect.isfunction(value):
        modules.setdefault(value.__module__, set()).add(value.__name__)
        return value.__name__
    if isinstance(value, list | tuple):
        opening, closing = "[]" if isinstance(value, list) else ("(", ",)" if len(value) == 1 else ")")
        return bracket(opening, [write(item, modules, inner) for item in value], closing, indent)
    return repr(value.item() if hasattr(value, "item") else value)


def list_parameters(value):
    """Return an estimator's parameters that differ from their defaults, or the fields of a kernel."""
    if isinstance(value, Kernel):
        return {field.name: getattr(value, field.name) for field in fields(value)}
    defaults = inspect.signature(type(value)).parameters
    given = value.get_params(deep=False)
    return {key: given[key] for key in given if repr(given[key]) != repr(defaults[key].default)}


def public_module(cls):
    """Return the first module on the way to a class that offers it to users."""
    parts = cls.__module__.split(".")
    private = next((i for i, part in enumerate(parts) if part.startswith("_")), len(parts))
    return ".".join(parts[: 2 if parts[0] == "kernlib" else private])


def bracket(opening, items, closing, indent):
    """Put items between brackets: in one line if they fit, otherwise as many in each line as fit."""
    line = opening + ", ".join(items) + closing
    if len(indent + line) <= WIDTH and "\n" not in line:
        return line
    lines = [""]
    for item in items:
        if lines[-1] and ("\n" in lines[-1] + item or len(indent + lines[-1] + item) > WIDTH - 6):
            lines.append("")
        lines[-1] += f" {item}," if lines[-1] else f"{item},"
    return "\n".join([opening, *(f"{indent}    {line}" for line in lines), indent + closing.lstrip(",")])
