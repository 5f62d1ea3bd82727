"""A noisy digit to choose, γ and the number of components: what kernel PCA makes of it, and the error."""

import numpy as np

from kernlib.book.explore import Choice, Explorer, Heat, Line, Plot, Predict, Readout, Slider
from kernlib.book.explorers.components import (
    DRAWS,
    GAMMAS,
    KS,
    LINEAR_KS,
    NOISES,
    draw_range,
    kernel_errors,
    linear_errors,
    noisy_digits,
    pre_images,
    project,
    recognize,
)

__all__ = ["DENOISING", "taken_for"]

SHOWN = {"0": 8, "3": 45, "4": 40, "5": 1, "6": 2, "9": 28}  # digits of the first draw that is not fitted
GRAYS = 16  # steps, as many as the data have; more would double the page's numbers


def noisy(digit, noise):
    """Give one noisy digit, as a row."""
    return noisy_digits(0, noise)[2][[SHOWN[digit]]]


def linear(digit, noise, k):
    """Reconstruct one digit by linear PCA."""
    return project(min(k, LINEAR_KS[-1]), 0, noisy(digit, noise))


def denoised(digit, noise, gamma, k):
    """Reconstruct one digit by kernel PCA."""
    return pre_images(noise, gamma, 0)[KS.index(k), [SHOWN[digit]]]


def reconstructed(digit, noise, gamma, k):
    """Reconstruct one digit: by linear and by kernel PCA."""
    return np.vstack([linear(digit, noise, k), denoised(digit, noise, gamma, k)])


def picture(image):
    """Show 64 pixels as an image."""
    return np.rint(GRAYS * image.reshape(8, 8).clip(0, 1)) / GRAYS


@Heat.panel("Clean", limits=(0, 1), palette="gray")
def without_noise(digit):
    """A digit, without noise."""
    return picture(noisy_digits(0, NOISES[0])[1][SHOWN[digit]])


@Heat.panel("Noisy", limits=(0, 1), palette="gray")
def with_noise(digit, noise):
    """The digit with noise."""
    return picture(noisy(digit, noise))


@Heat.panel("Linear PCA", limits=(0, 1), palette="gray")
def by_linear(digit, noise, k):
    """The noisy digit after projection on k components of linear PCA, at most 64."""
    return picture(linear(digit, noise, k))


@Heat.panel("Kernel PCA", limits=(0, 1), palette="gray")
def by_kernel(digit, noise, gamma, k):
    """The pre-image of the noisy digit's projection on k components of kernel PCA."""
    return picture(denoised(digit, noise, gamma, k))


def taken_for(digit: str, noise: float, gamma: float, k: int) -> list[int]:
    """Say what the digit is taken for once linear PCA, and kernel PCA, has reconstructed it."""
    return recognize(reconstructed(digit, noise, gamma, k))


def of_this_digit(digit, noise, gamma, k):
    """Report what the digit is taken for, and its error as a multiple of the noise's power."""
    clean = noisy_digits(0, noise)[1][SHOWN[digit]]
    images = reconstructed(digit, noise, gamma, k)
    by_pca, kernel = np.mean((images - clean) ** 2, axis=1) / noise**2
    by_linear, by_kernel = recognize(images)
    return (
        f"This {digit} comes back as {by_kernel} from kernel PCA (error {kernel:.2f}), and as {by_linear} "
        f"from linear PCA ({by_pca:.2f})."
    )


@Plot.panel(
    "Error over k, 80 digits",
    x="components k",
    y="error / noise's power",
    log="xy",
    ylim=(0.1, 30),
    cursor="k",
)
def error_over_k(noise, gamma):
    """Mean squared error of kernel and of linear PCA, as a multiple of the noise's power, against the number
    of components. The weaker the noise, the more components kernel PCA needs.
    """
    lines = {}
    for level in NOISES:  # each has its color, whichever is chosen
        errors = kernel_errors(level, gamma) / level**2
        middle = Line(KS, np.median(errors, axis=0), style="dashed")
        lines[f"kernel PCA, noise {level}"] = draw_range(KS, errors) if level == noise else middle
    lines[f"linear PCA, noise {noise}"] = draw_range(LINEAR_KS, linear_errors(noise) / noise**2)
    return lines | {"noisy": Line((KS[0], KS[-1]), (1.0, 1.0), style="reference")}


def summary(digit, noise, gamma, k):
    """Report what the digit comes back as, and the shares of the noise's power that are left."""
    kernel = np.median(kernel_errors(noise, gamma)[:, KS.index(k)]) / noise**2
    number = min(k, LINEAR_KS[-1])
    by_pca = np.median(linear_errors(noise)[:, LINEAR_KS.index(number)]) / noise**2
    return of_this_digit(digit, noise, gamma, k) + (
        f" All 80 digits, medians of {DRAWS} draws: kernel PCA {kernel:.2f} at k = {k}; linear PCA "
        f"{by_pca:.2f} at k = {number}."
    )


DENOISING = Explorer(
    title="Choose a noisy digit: what comes back?",
    name="denoising",
    hint="Play k. Below 1 in the plot, the error is smaller than that of the noisy digits.",
    controls=(
        Choice("digit", SHOWN, default="5"),
        Slider("noise", NOISES, "noise", 0.35),
        Slider("gamma", GAMMAS, "γ", 0.05),
        Slider("k", KS, "components k", 32, play=2),
    ),
    presets={
        "blurred to a few shapes": {"noise": 0.35, "gamma": 0.05, "k": 4},
        "least error": {"noise": 0.35, "gamma": 0.2, "k": 512},
        "noise comes back": {"noise": 0.35, "gamma": 0.05, "k": 799},
        "weak noise, all components": {"noise": 0.05, "gamma": 0.05, "k": 799},
    },
    panels=(
        # a wide screen has two panels above three, a phone three pictures abreast: those to compare
        with_noise,
        error_over_k,
        by_linear,
        by_kernel,
        without_noise,
        Readout(summary),
    ),
    predict=Predict(
        "γ = 0.05, and 32 components are about best for the noise 0.35. The noise falls to 0.05. How many "
        "components are best for this noise?",
        answer="many more",
        options=("fewer", "about as many", "many more"),
        shows=("Clean", "Noisy"),
        at={"noise": 0.05, "gamma": 0.05, "k": 256},
        reason="With each component that you leave out you lose a part of the digit, and each that you keep "
        "lets a part of the noise through. With less noise, more components are worth keeping.",
    ),
)
