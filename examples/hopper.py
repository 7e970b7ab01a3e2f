"""Grains rain into a hopper of two planes and leave it at its tip: it fills, and empties.

It begins with nobody. An inlet lets 300 grains of several sizes come in from above, and an outlet
takes out who comes to the tip; what has come and gone is counted, with its mass.

python hopper.py [picture.png]
"""

import sys

from matplotlib.collections import EllipseCollection
from matplotlib.figure import Figure

import carom
from carom import regions
from carom.plotting.style import DOTS_PER_INCH, PALETTE, soften

path = sys.argv[1] if len(sys.argv) > 1 else "hopper.png"
walls = [carom.Plane((10.0, 0.0), (1.0, 0.8)), carom.Plane((10.0, 0.0), (-1.0, 0.8))]
law, box = carom.ConstantRestitution(0.6), carom.Box((20.0, 16.0))
nobody = carom.Particles.none(dimension=2)
system = carom.System(nobody, box, law=law, gravity=(0.0, -1.0), walls=walls)

rain = carom.Inlet(
    regions.Block((4.0, 13.0), (16.0, 15.0)),
    rate=20.0,
    radius=carom.sizes.Normal(0.3, 0.04),
    density=1.0,
    velocity=(0.0, -2.0),
    until_number=300,
    every=0.1,
)
tip = carom.Outlet(regions.Ball((10.0, 0.0), 1.8), every=0.1)
method = carom.SoftContacts(stiffness=1e3, friction=0.4)
record = carom.Record(0.5, "number", "entered", "left")
sim = carom.Simulation(system, method=method, actors=[rain, tip], observers=[record], seed=1)

figure = Figure(figsize=(10, 3), dpi=DOTS_PER_INCH, layout="constrained")
*scenes, curves = figure.subplots(1, 4)
for axes, time in zip(scenes, (6.0, 15.0, 25.0), strict=True):
    sim.run(until=time)
    grains = sim.particles
    places = {"offsets": grains.position, "offset_transform": axes.transData}
    size, looks = 2.0 * grains.radius, {"facecolors": PALETTE[0], "edgecolors": "white"}
    axes.add_collection(EllipseCollection(size, size, 0, units="xy", **places, **looks))
    for side in (-1.0, 1.0):
        axes.plot([10.0, 10.0 + 10.0 * side], [0.0, 12.5], color="black", linewidth=1)
    axes.set(xlim=(0.0, 20.0), ylim=(0.0, 16.0), aspect="equal")
    axes.set_title(f"t = {time:g}: {sim.number} grains", fontsize=9)
    soften(axes)
sim.run(until=55.0)
for name, colour in zip(("entered", "left", "number"), PALETTE, strict=False):
    curves.plot(record["time"], record[name], color=colour, label=name)
curves.set(xlabel="time")
curves.legend(frameon=False, fontsize=8)
soften(curves)
figure.savefig(path)
print(f"{sim.entered} grains of mass {sim.entered_mass:.1f} came in, {sim.left} went out,")
print(f"{sim.number} of mass {sim.entered_mass - sim.left_mass:.1f} are still there; see {path}")
