"""Particles in synthetic turbulence and in a flow of one's own: how they cluster and collide.

The turbulence is a Gaussian random flow with the spectrum of Kármán and Obukhov. The other flow, a
row of vortices that sways, is written here and compiled into the loop.

python turbulence.py [picture.png]
"""

import math
import sys
from typing import NamedTuple

import carom
from carom.fluids import velocity
from carom.plotting import FlowView, picture

path = sys.argv[1] if len(sys.argv) > 1 else "turbulence.png"


class SwayingVortices(NamedTuple):
    """Vortices that sway along x (a double gyre)."""

    speed: float
    amplitude: float
    frequency: float


@velocity.register(SwayingVortices)
@carom.kernel
def _(place, flow):
    sway = flow.amplitude * math.sin(2.0 * math.pi * flow.frequency * place.time)
    a = 2.0 * math.pi * (place.position[0] + sway)
    b = 2.0 * math.pi * place.position[1]
    u = flow.speed * math.sin(a) * math.cos(b)
    return (u, -flow.speed * math.cos(a) * math.sin(b), 0.0)


n, fraction = 3000, 0.02
radius = math.sqrt(fraction / (math.pi * n))
particles, _ = carom.packings.random(
    n, fraction, dimension=2, radius=radius, temperature=0.0, seed=1
)
system = carom.System(particles, carom.Periodic((1.0, 1.0)))

fluids = {
    "turbulence": carom.fluids.SyntheticTurbulence("karman_obukhov", seed=2),
    "vortices": SwayingVortices(1.0, 0.1, 0.5),
}
for name, fluid in fluids.items():
    method = carom.Laden(fluid=fluid, dt=0.01, relaxation_time=0.08)
    print(f"{name}: {method.stokes_report(system)}")
    watch = carom.Record(0.153, "kinetic_energy", "collision_kernel", "voronoi_deviation")
    simulation = carom.Simulation(system, method=method, observers=[watch])
    simulation.run(until=3.0)
    for when in (1, len(watch["time"]) // 2, -1):
        print(
            f"  t = {watch['time'][when]:.2f}: collision kernel "
            f"{watch['collision_kernel'][when]:.2g}, spread of the Voronoï areas "
            f"{watch['voronoi_deviation'][when]:.2f} (random places 0.53)"
        )
    if name == "turbulence":
        picture(simulation, path, flow=FlowView(show="speed"))

print(f"see {path}")
