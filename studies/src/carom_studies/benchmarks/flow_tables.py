"""Tables of flows_2001.py, from the results that it keeps."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from carom_studies.benchmarks.flow_missed import missed_tables
from carom_studies.benchmarks.flow_runs import local_exponents, series
from carom_studies.benchmarks.tables import Table
from carom_studies.experiments.laden_fits import (
    COLLISIONS_TAYLOR_GREEN,
    SECOND_HALF,
    TRANSFERS_TAYLOR_GREEN,
    TRANSFERS_TURBULENCE,
    collisions_fit,
    column,
    cost_fit,
    transfers_fit,
)
from carom_studies.experiments.laden_flows import (
    CONSTANT_TIME,
    FACTORS,
    TAYLOR_GREEN,
    TURBULENCE,
)
from carom_studies.fits import Power

NOTHING = "–"


def number(value: float, form: str) -> str:
    """A value, or a dash where there is none."""
    return NOTHING if math.isnan(value) else format(value, form)


def machine_of(runs: Sequence[Mapping[str, Any]]) -> str:
    """Where and when the last of some runs was timed."""
    machine = runs[-1]["machine"]
    return f"Processor {machine['processor']}, {machine['date']}, numba {machine['numba']}."


def taylor_green_tables(results: Mapping[str, Any]) -> list[Table]:
    """Events, cost, fits, and both rules for the relaxation time."""
    return [
        events_table(TAYLOR_GREEN, results, TRANSFERS_TAYLOR_GREEN),
        cost_table(TAYLOR_GREEN, results),
        taylor_green_fits(results),
        relaxation_table(results),
    ]


def events_table(flow: str, results: Mapping[str, Any], transfers: Power) -> Table:
    """What was counted with fixed cells, beside the published fits."""
    rows = []
    for run in series(results, "fixed"):
        n, m, collisions = run["n"], run["cells"], run["collisions"]
        expected = [f"{float(COLLISIONS_TAYLOR_GREEN(n)):,.0f}"] if flow == TAYLOR_GREEN else []
        rows.append(
            [
                f"{n:,}",
                f"{m:,}",
                f"{collisions:,}",
                *expected,
                f"{run['transfers'] / (n * m):.3f}",
                f"{float(transfers(n * m)) / (n * m):.3f}",
                f"{run['checks'] / collisions:.3f}",
                f"{1e3 * run['false_predictions'] / collisions:.2f}",
                f"{run['pair_tests'] / collisions:.1f}",
            ]
        )
    published = ["published"] if flow == TAYLOR_GREEN else []
    headings = (
        "n", "m", "collisions n_c", *published, "transfers/(nm)", "published", "checks/n_c",
        "false, ‰ of n_c", "pair tests/n_c",
    )  # fmt: skip
    note = f"Cells with m = ⌊3√n⌋ along a side; τ = {FACTORS[flow]:g} r."
    return Table(f"flows {flow}", f"Events: {flow}", headings, rows, note)


def cost_table(flow: str, results: Mapping[str, Any]) -> Table:
    """Processor times of all schemes."""
    schemes = [name for name in ("fixed", "adaptive", "default") if series(results, name)]
    runs = {scheme: {run["n"]: run for run in series(results, scheme)} for scheme in schemes}
    nothing = {"seconds": math.nan, "collisions": math.nan}
    rows = []
    for n in sorted({n for each in runs.values() for n in each}):
        found = [runs[scheme].get(n, nothing) for scheme in schemes]
        times = [run["seconds"] for run in found]
        ratio = times[1] / times[0]
        rates = [run["collisions"] / run["seconds"] / 1e6 for run in found]
        rows.append(
            [
                f"{n:,}",
                *(number(time, ",.1f") for time in times),
                number(ratio, ".2f"),
                *(number(rate, ".3g") for rate in rates),
            ]
        )
    headings = (
        "n", *(f"{scheme}, s" for scheme in schemes), "adaptive/fixed",
        *(f"{scheme}, 10⁶ n_c/s" for scheme in schemes),
    )  # fmt: skip
    note = machine_of(series(results, "adaptive"))
    return Table(f"flows {flow} cost", f"Processor time: {flow}", headings, rows, note)


def taylor_green_fits(results: Mapping[str, Any]) -> Table:
    """Power laws, published and found."""
    fixed, adaptive = series(results, "fixed"), series(results, "adaptive")
    rows = [
        ["n_c", COLLISIONS_TAYLOR_GREEN.told("n"), collisions_fit(fixed).told("n"), NOTHING],
        [
            "n_t",
            TRANSFERS_TAYLOR_GREEN.told("(nm)"),
            transfers_fit(fixed).told("(nm)"),
            NOTHING,
        ],
        ["cost ∝ n_c^b", "1.18", *exponents((fixed, adaptive), "collisions", False)],
        ["cost ∝ n_c^b log n", "1.13", *exponents((fixed, adaptive), "collisions", True)],
    ]
    note = f"From n = {fixed[0]['n']:,} to {fixed[-1]['n']:,}; published: 10,000 to 200,000."
    return Table(
        "flows taylor-green fits", "Fits", ("", "published", "fixed", "adaptive"), rows, note
    )


def exponents(several: Sequence[Sequence[Any]], against: str, over_log: bool) -> list[str]:
    """Exponents of the cost of several schemes."""
    return [number(cost_fit(runs, against, over_log).exponent, ".2f") for runs in several]


def relaxation_table(results: Mapping[str, Any]) -> Table:
    """Collisions with τ in proportion to the radius and with τ independent of n."""
    runs = {scheme: series(results, scheme) for scheme in ("fixed", "constant")}
    found: dict[int, dict[str, tuple[int, float]]] = {}
    for scheme, each in runs.items():
        for run, exponent in zip(each, local_exponents(each), strict=True):
            found.setdefault(run["n"], {})[scheme] = (run["collisions"], exponent)
    rows = []
    for n, one in sorted(found.items()):
        cells = [f"{float(COLLISIONS_TAYLOR_GREEN(n)):,.0f}"]
        for scheme in runs:
            collisions, exponent = one.get(scheme, (math.nan, math.nan))
            cells += [number(collisions, ",.0f"), number(exponent, ".3f")]
        rows.append([f"{n:,}", *cells])
    fits = " and ".join(collisions_fit(each).told("n") for each in runs.values())
    rule = f"τ = {FACTORS[TAYLOR_GREEN]:g} r"
    headings = ("n", "published", rule, "exponent", f"τ = {CONSTANT_TIME:g}", "exponent")
    note = f"Exponents from the row above. Fits: {fits}."
    return Table("flows relaxation", "Relaxation times", headings, rows, note)


def large_tables(results: Mapping[str, Any]) -> list[Table]:
    """The largest run, and everything that it changes."""
    fixed = series(results, "fixed")
    first, last = fixed[0], fixed[-1]
    growth = collisions_fit([first, last])
    n, m = last["n"], last["cells"]
    rows = [
        ["collisions", f"{last['collisions']:,}", f"{float(COLLISIONS_TAYLOR_GREEN(n)):,.0f}"],
        [f"exponent from {first['n']:,}", f"{growth.exponent:.3f}", "1.61"],
        [
            "transfers/(nm)",
            f"{last['transfers'] / (n * m):.3f}",
            f"{float(TRANSFERS_TAYLOR_GREEN(n * m)) / (n * m):.3f}",
        ],
        [
            "hours",
            f"{last['seconds'] / 3600:.2f}",
            "48",
        ],
        ["collisions/s", f"{last['collisions'] / last['seconds']:,.0f}", "5,500"],
    ]
    table = Table("flows large", f"n = {n:,}", ("", "here", "published"), rows, machine_of(fixed))
    return [table, *taylor_green_tables(results)]


def turbulence_tables(results: Mapping[str, Any]) -> list[Table]:
    """Events, cost and fits."""
    return [
        events_table(TURBULENCE, results, TRANSFERS_TURBULENCE),
        cost_table(TURBULENCE, results),
        without_cells_table(results),
        turbulence_fits(results),
    ]


def without_cells_table(results: Mapping[str, Any]) -> Table:
    """Collisions of the default method, up to large n."""
    runs = series(results, "default")
    rows = [
        [f"{run['n']:,}", f"{run['collisions']:,}", number(exponent, ".3f")]
        for run, exponent in zip(runs, local_exponents(runs), strict=True)
    ]
    note = "Default method. Exponents from the row above."
    headings = ("n", "collisions n_c", "exponent")
    return Table("flows turbulence collisions", "Collisions: turbulence", headings, rows, note)


def turbulence_fits(results: Mapping[str, Any]) -> Table:
    """Power laws, published and found, and how much the flow matters."""
    fixed, adaptive, default = (
        series(results, scheme) for scheme in ("fixed", "adaptive", "default")
    )
    half = [run for run in default if run["n"] >= SECOND_HALF]
    rows = [
        [f"n_c ∝ n^b, n ≥ {SECOND_HALF:,}", "0.82", number(collisions_fit(half).exponent, ".2f")],
        ["n_c ∝ n^b, all n", NOTHING, number(collisions_fit(default).exponent, ".2f")],
        ["n_t", TRANSFERS_TURBULENCE.told("(nm)"), transfers_fit(fixed).told("(nm)")],
        ["cost ∝ n^b log n, fixed cells", "1.54", *exponents((fixed,), "n", True)],
        ["cost ∝ n^b log n, adaptive cells", NOTHING, *exponents((adaptive,), "n", True)],
        ["cost ∝ n^b log n, default", NOTHING, *exponents((default,), "n", True)],
    ]
    flows = [run for name, run in results.items() if name.startswith("flow ")]
    n, m = flows[0]["n"], flows[0]["cells"]
    collisions, transfers = column(flows, "collisions"), column(flows, "transfers") / (n * m)
    note = (
        f"{len(flows)} flows of the same kind at n = {n:,}: n_c = {collisions.mean():,.0f} ± "
        f"{collisions.std(ddof=1):,.0f}, n_t/(nm) = {transfers.mean():.2f} ± "
        f"{transfers.std(ddof=1):.2f} (standard deviations between flows)."
    )
    return Table("flows turbulence fits", "Fits: turbulence", ("", "published", "here"), rows, note)


def parameters_tables(results: Mapping[str, Any]) -> list[Table]:
    """Collisions, transfers and exponents for each viscosity and relaxation time."""
    pairs: dict[tuple[float, float], list[Any]] = {}
    for run in results.values():
        pairs.setdefault((run["viscosity"], run["factor"]), []).append(run)
    rows = []
    for (viscosity, factor), runs in pairs.items():
        runs.sort(key=lambda run: run["n"])
        shares = [f"{run['transfers'] / (run['n'] * run['cells']):.2f}" for run in runs]
        rows.append(
            [
                f"{viscosity:g}",
                f"{factor:g}",
                *(f"{run['collisions']:,}" for run in runs),
                f"{collisions_fit(runs).exponent:.2f}",
                *shares,
                f"{transfers_fit(runs).exponent:.3f}",
            ]
        )
    small, large = (run["n"] for run in next(iter(pairs.values())))
    headings = (
        "ν", "τ/r", f"n_c, n = {small:,}", f"n_c, {large:,}", "exponent", f"n_t/(nm), {small:,}",
        f"{large:,}", "exponent",
    )  # fmt: skip
    note = "Default method; n_t from the mean of |v_x| + |v_y|. One flow per viscosity."
    return [Table("flows parameters", "Parameters of the turbulence", headings, rows, note)]


TABLES: dict[str, Callable[[Mapping[str, Any]], list[Table]]] = {
    TAYLOR_GREEN: taylor_green_tables,
    TURBULENCE: turbulence_tables,
    "parameters": parameters_tables,
    "missed": missed_tables,
    "large": large_tables,
}
