"""Particles that break up the vortices which carry them.

The setting of Sigurgeirsson, Stuart & Wan 2001, section 3, with fewer particles: a forcing that
would hold four vortices for ever, and particles that pull at the fluid as it pulls at them. They
gather between the vortices, and from t = 3 on their weight is more than the pattern bears.

python coupled_flow.py [picture.png]
"""

import math
import sys

import carom
from carom.plotting import FlowView, picture

path = sys.argv[1] if len(sys.argv) > 1 else "coupled_flow.png"

n, fraction = 2500, 0.05
radius = math.sqrt(fraction / (math.pi * n))
particles, _ = carom.packings.random(
    n, fraction, dimension=2, radius=radius, temperature=0.0, seed=1
)
system = carom.System(particles, carom.Periodic((1.0, 1.0)))
fluid = carom.fluids.DiffusionFlow(
    grid=50,
    viscosity=1.0 / (8.0 * math.pi**2),
    forcing=carom.fluids.TaylorGreenForcing(),
    exchange=carom.PowerOfRadius(1.0, exponent=1.0),
    start=carom.fluids.TaylorGreen(),
)
method = carom.Coupled(
    fluid=fluid, dt=0.02, relaxation_time=carom.PowerOfRadius(35.0, exponent=1.0)
)
simulation = carom.Simulation(system, method=method)
for time in range(1, 9):
    simulation.run(until=float(time))
    flow = simulation.fluid
    print(
        f"t = {time}: {simulation.counts.collisions:9,} collisions, energy of the fluid "
        f"{flow.energy:.4f}, put in by the forcing {flow.forcing_work:.3f}, "
        f"lost to viscosity {-flow.viscous_work:.3f} and to the particles "
        f"{-flow.drag_work:.3f}; {flow.solver_iterations} iterations in a step"
    )

picture(simulation, path, flow=FlowView(show="vorticity"))
print(f"see {path}")
