"""Disks that collapse: how many collisions it takes, cooling freely and sheared."""

from __future__ import annotations

import carom
from carom_studies.experiments.melting import melted
from carom_studies.experiments.steady_shear import expected_temperature, packing, sheared

KINDS = ("cooling", "sheared")
N = 1000
MELTING = 30  # elastic collisions per particle before
# Collisions per particle after which a run counts as one without collapse. Dilute sheared disks
# take long for them, and cooling disks become slower than the rounding of their total momentum, so
# that nothing is left but transfers between cells.
LIMIT = {"cooling": 1000, "sheared": 300}


def until_collapse(kind: str, phi: float, e: float, seed: int) -> float | None:
    """Collisions per particle until disks collapse; None if that does not happen."""
    temperature = 1.0 if kind == "cooling" else expected_temperature(2, phi, e)
    particles, box = packing(N, phi, 2, temperature, seed)
    start = melted(carom.System(particles, box), MELTING)
    law = carom.ConstantRestitution(e)
    if kind == "cooling":
        system = carom.System(start.particles, box, law=law)
    else:
        system = sheared(start.particles, box.lengths, law)
    simulation = carom.Simulation(system)
    try:
        simulation.run(collisions=LIMIT[kind] * N // 2, progress=False)
    except carom.InelasticCollapse:
        return 2.0 * simulation.counts.collisions / N
    return None
