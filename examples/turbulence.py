"""Particles in synthetic turbulence and in a flow of one's own: how they cluster and collide.

The turbulence is a random flow with Kraichnan's spectrum; the other flow is written here.

python turbulence.py [picture.png]
"""

import math
import sys
from typing import NamedTuple

import carom
from carom.fluids import velocity
from carom.plotting import FlowView, picture

path = sys.argv[1] if len(sys.argv) > 1 else "turbulence.png"


class SwayingVortices(NamedTuple):  # along x: a double gyre
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
at_rest = {"dimension": 2, "radius": radius, "temperature": 0.0}
particles, _ = carom.packings.random(n, fraction, **at_rest, seed=1)
system = carom.System(particles, carom.Periodic((1.0, 1.0)))

fluids = {
    "turbulence": carom.fluids.SyntheticTurbulence("kraichnan", grid=64, seed=2),
    "vortices": SwayingVortices(1.0, 0.1, 0.5),
}
for name, fluid in fluids.items():
    method = carom.Laden(fluid=fluid, dt=0.01, relaxation_time=0.08)
    print(f"{name}: {method.stokes_report(system)}, Voronoï areas of random places spread by 0.53")
    watch = carom.Record(0.153, "kinetic_energy", "collision_kernel", "voronoi_deviation")
    simulation = carom.Simulation(system, method=method, observers=[watch])
    simulation.run(until=3.0)
    for when in (1, len(watch["time"]) // 2, -1):
        kernel, spread = watch["collision_kernel"][when], watch["voronoi_deviation"][when]
        print(f"  t = {watch['time'][when]:.2f}: kernel {kernel:.2g}, areas spread by {spread:.2f}")
    if name == "turbulence":
        picture(simulation, path, flow=FlowView(show="vorticity"))

print(f"see {path}")
