"""Energy spectra of synthetic turbulence, and how long its modes live."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from matplotlib.figure import Figure

from carom.fluids import SyntheticTurbulence, stream
from carom.fluids.random.spectra import SPECTRA
from carom.particles import Array
from carom_studies.drawing import PUBLISHED, label, legend, panels, plain_logarithms, points
from carom_studies.entry import Choice, Entry, Findings, Number, Size, Statement, Tell
from carom_studies.fits import least_squares, to_digits
from carom_studies.sources import SIGURGEIRSSON_2001

NODES = 64
WAVES_PER_SCALE = 4  # kℓ = j / 4 for a mode with j waves in the box
SCALE = 1.0 / (2.0 * math.pi * WAVES_PER_SCALE)  # ℓ, in a box of side 1
VISCOSITY = 0.01
LAG = 0.1 / (VISCOSITY * (2.0 * math.pi) ** 2)  # ν k² lag = 0.1 for the longest wave
APART = 100.0 * LAG  # between two looks: e^(−10) is left of the longest wave
BLOCKS = 20  # of looks, for errors
LOOKS = {Size.QUICK: 24_000, Size.PAPER: 50_000}
SEED = 1
# Up to where a spectrum is measured, in kℓ: beyond, Kraichnan's is lost in rounding errors.
ENDS = {"karman_obukhov": 7.5, "kraichnan": 4.0}
# What stands in the exponents, and what it is the exponent or the factor of.
FORMULAS: dict[str, tuple[str, dict[str, float], Callable[[float], tuple[float, float]]]] = {
    "karman_obukhov": (
        "Kármán–Obukhov",
        {"‖k‖": 2.0, "1 + ‖k‖²": -7.0 / 3.0},
        lambda k: (math.log(k), math.log(1.0 + k * k)),
    ),
    "kraichnan": (
        "Kraichnan",
        {"‖k‖": 2.0, "‖k‖² in exp": -1.0},
        lambda k: (math.log(k), k * k),
    ),
}
LONGEST_DRAWN = 4.0
LEAST_LEFT = 1e-3
LONGEST_FITTED = 2.0  # of ν k² lag: what is left of modes after longer is little
WITHIN = 0.005  # of an exponent, and of the rate; formulas are exact
MOST_DIVERGENCE = 1e-12  # of the energy in a velocity along k


# Waves in the box along both axes of the modes that the paper uses: (modes, 2).
_J = np.fft.fftfreq(NODES, 1.0 / NODES)
_USED = np.abs(_J) < NODES // 2
WAVES = np.stack(np.meshgrid(_J, _J, indexing="ij"), -1)
IS_USED = _USED[:, None] & _USED[None, :] & WAVES.any(-1)
WAVES = WAVES[IS_USED]
# All modes with the same wavenumber make a shell: squares of their waves, and the shell of each.
SHELLS, SHELL, MODES = np.unique((WAVES**2).sum(-1), return_inverse=True, return_counts=True)


def measure(size: Size, tell: Tell) -> Findings:
    """Mean energies of modes, and what is left of them after a while."""
    wavenumber = np.sqrt(SHELLS) / WAVES_PER_SCALE
    lag = VISCOSITY * (wavenumber / SCALE) ** 2 * LAG
    looks = {}
    for turn, name in enumerate(FORMULAS):
        tell(turn / len(FORMULAS), FORMULAS[name][0])
        looks[name] = Looks.at(name, LOOKS[size])
    decaying = looks["karman_obukhov"]
    along = max(each.along for each in looks.values())
    return Findings(
        seed=SEED,
        parameters={"nodes": NODES, "looks": LOOKS[size], "ν": VISCOSITY, "lag": LAG},
        data={
            "wavenumber": wavenumber,
            "energy": {name: each.energy.mean(0) for name, each in looks.items()},
            "lag": lag,
            "left": decaying.product.mean(0) / decaying.energy.mean(0),
        },
        numbers=[
            *(
                number
                for name in FORMULAS
                for number in _exponents(name, wavenumber, looks[name].energy, WITHIN)
            ),
            _rate(lag, decaying, WITHIN),
        ],
        statements=[
            Statement(
                f"the flow has no divergence: {along:.0e} of its energy is in velocities along k "
                f"(below {MOST_DIVERGENCE:.0e})",
                along < MOST_DIVERGENCE,
            )
        ],
        choices=[Choice("unit of length", SCALE, "none is named; several eddies in the box")],
    )


class Looks(NamedTuple):
    """Means over modes and looks, by block and shell, and a share of the energy."""

    energy: Array  # |û(t)|²
    product: Array  # û(t + lag) û(t)*
    along: float  # the share that is in velocities along k

    @classmethod
    def at(cls, name: str, looks: int) -> Looks:
        """What is seen in a flow with a spectrum."""
        flow = _flow(name)
        energy, product = np.zeros((2, BLOCKS, len(SHELLS)))
        along = 0.0
        for look in range(looks):
            block = look * BLOCKS // looks
            first = _modes(flow, look * APART)
            second = _modes(flow, look * APART + LAG)
            energy[block] += np.bincount(SHELL, _product(first, first))
            product[block] += np.bincount(SHELL, _product(second, first))
            share = (first * WAVES).sum(-1, keepdims=True)
            along += float(np.sum(_product(share, share) / SHELLS[SHELL]))
        scale = MODES * (looks / BLOCKS)
        return cls(energy / scale, product / scale, along / float(energy.sum()))


def _product(one: Array, other: Array) -> Array:
    """The real part of one · other*, summed over components: (modes,)."""
    return (one.real * other.real + one.imag * other.imag).sum(-1)


def _flow(name: str) -> Any:
    """Synthetic turbulence with the energies as printed, with k in units of 1/ℓ."""
    printed = SPECTRA[name](np.sqrt(SHELLS[SHELL]) / WAVES_PER_SCALE, 2)
    speed = to_digits(math.sqrt(float(printed.sum())))
    fluid = SyntheticTurbulence(name, speed, SCALE, VISCOSITY, grid=NODES, seed=SEED)
    return stream(fluid, (1.0, 1.0), 2)


def _modes(flow: Any, time: float) -> Array:
    """û of the modes at a time (modes, 2), from the velocities at the nodes."""
    flow.go_to(time)
    return np.asarray(np.fft.fft2(flow.field.velocity, axes=(0, 1))[IS_USED] / NODES**2)


def _exponents(name: str, wavenumber: Array, energy: Array, within: float) -> list[Number]:
    """What a fit of the printed formula gives for the numbers in it.

    Shells count by their modes: the logarithm of a mean over so many has that weight.
    """
    title, exponents, terms = FORMULAS[name]
    used = wavenumber <= ENDS[name]
    columns = [np.ones(used.sum()), *np.array([terms(k) for k in wavenumber[used].tolist()]).T]

    def fit(values: Array) -> list[float]:
        logarithms = [math.log(each) for each in values[used]]
        return least_squares(columns, logarithms, MODES[used].astype(float)).coefficients[1:]

    errors = np.std([fit(block) for block in energy], axis=0, ddof=1) / math.sqrt(BLOCKS)
    return [
        Number(f"{title}: exponent of {of}", published, found, within, float(error))
        for (of, published), found, error in zip(
            exponents.items(), fit(energy.mean(0)), errors, strict=True
        )
    ]


def _rate(lag: Array, looks: Looks, within: float) -> Number:
    """How fast modes decay, over ν k²."""
    used = lag <= LONGEST_FITTED
    times = lag[used].tolist()
    # e^−s is left after a time s, and the mean of n of them is off by √((1 − e^−2s) / n).
    weights = [n / math.expm1(2.0 * s) for n, s in zip(MODES[used].tolist(), times, strict=True)]

    def fit(before: Array, after: Array) -> float:
        left = (after[used] / before[used]).tolist()
        # Blocks are short: their noise may leave nothing of a mode, or less.
        decay = [-math.log(max(each, LEAST_LEFT)) for each in left]
        return least_squares([times], decay, weights).coefficients[0]

    each = [fit(*block) for block in zip(looks.energy, looks.product, strict=True)]
    error = float(np.std(each, ddof=1)) / math.sqrt(BLOCKS)
    measured = fit(looks.energy.mean(0), looks.product.mean(0))
    return Number("rate at which modes decay / (ν ‖k‖²)", 1.0, measured, within, error)


def draw(data: Mapping[str, Any]) -> Figure:
    """Like Fig. 19, and beside it what is left of modes."""
    figure, axes = panels(3)
    wavenumber = np.asarray(data["wavenumber"])
    for each, name, side in zip(axes[:2], FORMULAS, ("left", "right"), strict=True):
        used = wavenumber <= ENDS[name]
        k, energy = wavenumber[used], np.asarray(data["energy"][name])[used]
        fine = np.geomspace(k[0], k[-1], 300)
        points(each, k, energy, "mean energy of modes", markersize=3.5)
        each.plot(fine, SPECTRA[name](fine, 2), color=PUBLISHED, lw=1.2, ls="--", label="formula")
        each.loglog()
        plain_logarithms(each.xaxis)
        label(each, "wavenumber ‖k‖ℓ", "energy $ε_k$", f"Fig. 19, {side}: {FORMULAS[name][0]}")
        legend(each, loc="lower left")
    _draw_decay(axes[2], np.asarray(data["lag"]), np.asarray(data["left"]))
    return figure


def _draw_decay(axes: Any, lag: Array, left: Array) -> None:
    used = lag < LONGEST_DRAWN
    points(axes, lag[used], left[used], "Kármán–Obukhov", markersize=3.5)
    fine = np.linspace(0.0, LONGEST_DRAWN, 200)
    axes.plot(fine, np.exp(-fine), color=PUBLISHED, lw=1.2, ls="--", label="exp(−ν‖k‖²s)")
    label(axes, "ν‖k‖²s", "correlation of a mode after a time s", "Equation (A.3)")
    legend(axes)


ENTRY = Entry(
    name="turbulence-spectra",
    title="Spectra of synthetic turbulence",
    source=SIGURGEIRSSON_2001,
    figure="Fig. 19, appendix 2",
    compares="Energies of modes with the formulas of both spectra, and how fast modes decay.",
    minutes={Size.QUICK: 2, Size.PAPER: 5},
    measure=measure,
    draw=draw,
)
