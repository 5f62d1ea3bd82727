"""What all panels have in common: a function of some controls, and what is made of its result.

A panel depends on the controls that its function's parameters name, and on no others: so the book computes
each panel for the stops of these controls alone, and a live explorer computes again only what changed.
A *frame* is what a function returned, as the renderer reads it: numbers with four significant digits.
"""

import inspect
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Self

from kernlib.numerics.blocks import one_blas_thread
from kernlib.numerics.validation import describe

__all__ = ["Panel", "kinds"]


@dataclass(frozen=True)
class Panel:
    """One picture: a function of some controls, and how to draw what it returns.

    Parameters
    ----------
    compute : callable
        A pure function; its parameters without a default name controls.
    title : str
        Stands above the picture.
    alt : str
        What there is to see, for those who cannot; the title, or else the function's name, where it is empty.

    Notes
    -----
    A kind of panel is a subclass, and a function in ``assets/panels.js`` under the same ``kind``. The
    subclass has an `encode`, and overrides what differs of the methods below.
    """

    compute: Callable
    title: str = ""
    alt: str = ""

    kind = ""
    cursor = None  # the slider whose value it marks
    titled = True  # whether a bare function's name stands above it
    named: ClassVar[Mapping[str, type]] = {}  # fields that name a control, with its kind
    draw: ClassVar[Callable[..., None] | None] = None  # (axes, frame, controls); None where a panel is text

    @classmethod
    def panel(cls, title: str = "", **options: Any) -> Callable[[Callable], Self]:
        """Make a panel of the function below: a decorator.

        Parameters
        ----------
        title : str
            Stands above the picture.
        **options
            The other parameters of this kind of panel, without `alt`: that is the function's docstring.

        Returns
        -------
        callable
            From the function to its panel, which can be called as the function.
        """
        return lambda compute: cls(compute, title, alt_of(compute), **options)

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Call the function."""
        return self.compute(*args, **kwargs)

    def encode(self, result: Any) -> Any:
        """Write what the function returned for the renderer; a TypeError or ValueError says why not."""
        raise NotImplementedError

    @classmethod
    def suits(cls, result: Any) -> bool:
        """Whether a bare function that returns this is shown so; what suits no kind is plotted."""
        return False

    def refuse_controls(self, controls: Mapping[str, Any]) -> None:
        """Refuse the explorer's controls, a dict by name, if the panel can't do with them."""
        try:
            parameters = self.parameters
        except (TypeError, ValueError):  # no function, or one written in C that tells none
            parameters = {"": None}
        if None in parameters.values():
            raise ValueError(
                f"{self.called}: compute must be a function whose parameters have names, as in "
                f"lambda x: np.sin(x), got {describe(self.compute)}."
            )
        missing = [name for name, optional in parameters.items() if not (optional or name in controls)]
        if missing:
            raise ValueError(f"{self.called} needs {', '.join(missing)}: give it a control of that name.")
        for field, kind in self.named.items():
            name = getattr(self, field)
            if name is not None and not isinstance(controls.get(name), kind):
                raise ValueError(f"{self.called}: {field} must name {kind.__name__}, got {describe(name)}.")

    def html(self, frame: Any) -> str:
        """What stands below the plain figure, in HTML."""
        return ""

    def caption(self, frame: Any) -> str:
        """What the plain figure's caption says."""
        return ""

    def spec(self) -> dict[str, Any]:
        """Describe the panel to the renderer, ready for JSON."""
        return {"kind": self.kind, "title": self.title, "alt": self.words}

    @property
    def parameters(self) -> dict[str, bool | None]:
        """The parameters of the function, each with whether it can be left out; None if it has no name."""
        every = inspect.signature(self.compute).parameters.values()
        unnamed = (inspect.Parameter.POSITIONAL_ONLY, inspect.Parameter.VAR_POSITIONAL)
        return {p.name: None if p.kind in unnamed else p.default is not p.empty for p in every}

    @property
    def words(self) -> str:
        """What a screen reader says of the picture."""
        return self.alt or self.title or f"{self.kind} of {self.name}"

    @property
    def name(self) -> str:
        """The function's name, in words."""
        return getattr(self.compute, "__name__", "").strip("<>").replace("_", " ")

    @property
    def called(self) -> str:
        """What a sentence calls the panel."""
        return self.title or getattr(self.compute, "__name__", "a panel")

    def result(self, values: Mapping[str, Any]) -> Any:
        """What the function returns for these values of the controls, or of some more."""
        with one_blas_thread():  # its matrices are small, and threads would wait for each other
            result = self.compute(**{name: values[name] for name in self.parameters if name in values})
        if result is None:
            raise TypeError(f"{self.called}: the function returned None; does it end with return?")
        return result

    def frame(self, values: Mapping[str, Any]) -> Any:
        """Compute the panel, as the renderer reads it; a sentence on what it can't show names the panel."""
        result = self.result(values)
        try:
            return self.encode(result)
        except (TypeError, ValueError) as error:
            raise type(error)(f"{self.called}: {error}") from None


def alt_of(compute):
    """Join the lines of a function's docstring."""
    return inspect.cleandoc(compute.__doc__ or "").replace("\n", " ")


def kinds() -> str:
    """Name the kinds of panels, for a sentence: "Heat, Pick, Plot, Readout or Table"."""
    *most, last = sorted(kind.__name__ for kind in Panel.__subclasses__())
    return f"{', '.join(most)} or {last}"
