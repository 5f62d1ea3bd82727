"""Parameters by name, as scikit-learn's searches read and change them, for kernels of all kinds."""

import copy
import inspect
from typing import Any, Self

__all__ = ["Parameters"]


class Parameters:
    """The base class of kernels, whose parameters are those of their constructors."""

    def get_params(self, deep: bool = True) -> dict[str, Any]:
        """Return the parameters by name, and if `deep`, those of nested kernels."""
        params = {name: getattr(self, name) for name in inspect.signature(type(self)).parameters}
        if deep:
            for name, value in list(params.items()):
                if isinstance(value, Parameters):
                    params |= {f"{name}__{inner}": part for inner, part in value.get_params().items()}
        return params

    def set_params(self, **params: Any) -> Self:
        """Change parameters in place, by the names of `get_params`, or none of them if one is invalid."""
        changed = self.get_params(deep=False)
        for key in sorted(params):  # so that a new nested kernel comes before its parameters
            name, nested, inner = key.partition("__")
            if name not in changed or (nested and not isinstance(changed[name], Parameters)):
                known = ", ".join(self.get_params()) or "no parameters"
                raise ValueError(f"{key} must be a parameter of {self}, which has {known}.")
            if nested:  # a copy, as other kernels may hold the same one
                changed[name] = copy.deepcopy(changed[name]).set_params(**{inner: params[key]})
            else:
                changed[name] = params[key]
        vars(self).update(vars(type(self)(**changed)))  # built anew, so that all values are checked
        return self

    def __sklearn_clone__(self) -> Self:
        """Return a copy, whose parameters can be changed independently."""
        return copy.deepcopy(self)
