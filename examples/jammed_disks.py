"""Disks that grow until they jam: equal ones crystallise, mixed ones do not.

They fly, collide and grow (Lubachevsky & Stillinger 1990) until they cannot grow any further. The
colour is the order around a disk: yellow where its neighbours form a hexagon.

python jammed_disks.py [picture.png]
"""

import sys

import numpy as np
from matplotlib.collections import EllipseCollection
from matplotlib.figure import Figure

import carom
from carom.plotting.style import DOTS_PER_INCH

path = sys.argv[1] if len(sys.argv) > 1 else "jammed_disks.png"
number = 600

figure = Figure(figsize=(9, 4.8), dpi=DOTS_PER_INCH, layout="constrained")
kinds = {"equal": np.full(number, 0.5), "two sizes, 1 : 1.4": np.repeat([0.5, 0.7], number // 2)}
for place, (name, radii) in enumerate(kinds.items(), start=1):
    try:
        carom.packings.grow(number, 0.99, radius=radii, dimension=2, growth_rate=0.01, seed=1)
    except carom.Jammed as jammed:  # nobody reaches 0.99
        disks, box, reached = jammed.particles, jammed.box, jammed.packing_fraction
    order = carom.packings.bond_order(disks, box)
    print(f"{name}: jammed at {reached:.4f}, order {order.local:.3f} around the mean disk")

    axes = figure.add_subplot(1, 2, place, aspect="equal", xticks=[], yticks=[])
    diameter = 2 * disks.radius
    circles = EllipseCollection(
        diameter, diameter, 0, units="xy", offsets=disks.position, offset_transform=axes.transData
    )
    circles.set_array(order.around)
    circles.set_clim(0.0, 1.0)
    axes.add_collection(circles)
    axes.set(xlim=(0, box.lengths[0]), ylim=(0, box.lengths[1]))
    axes.set_title(f"{name}: packing fraction {reached:.3f}, order {order.local:.2f}", fontsize=9)
label = "sixfold order of the bonds around a disk"
figure.colorbar(circles, ax=figure.axes, shrink=0.8, label=label)
figure.savefig(path)
print(f"see {path}")
