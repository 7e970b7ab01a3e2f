"""A trajectory for OVITO, and a run that goes on from its checkpoint, bit for bit.

python trajectory_and_restart.py [picture.png]
"""

import sys
from pathlib import Path

import numpy as np

import carom
from carom.plotting import picture

path = Path(sys.argv[1] if len(sys.argv) > 1 else "trajectory_and_restart.png")
trajectory, checkpoint = path.with_suffix(".gsd"), path.with_suffix(".carom")

# Spheres of two sizes; the large ones are placed first.
radius = np.where(np.arange(600) < 60, 1.0, 0.5)
particles, box = carom.packings.random(600, 0.25, radius=radius, mass=radius**3, seed=2)
system = carom.System(particles, box)

simulation = carom.Simulation(system, observers=[carom.Trajectory(trajectory, every=0.5)])
simulation.run(until=5.0)
simulation.save(checkpoint)
simulation.run(until=10.0)

# In another process this would be the first line. Observers are handed over again, and the file
# is cut back to what had been written at the time of the checkpoint.
resumed = carom.load(checkpoint, observers=[carom.Trajectory(trajectory, every=0.5)])
print(f"going on from {resumed!r}")
resumed.run(until=10.0)

same = (resumed.particles.position == simulation.particles.position).all()
print(f"the same positions to the last bit: {same}")
picture(resumed, path)
print(f"see {path}, and open {trajectory} in OVITO")
if not same:
    sys.exit("the restarted run has parted from the first")
