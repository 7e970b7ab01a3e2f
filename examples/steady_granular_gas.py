"""A granular gas that random kicks heat: it warms or cools to one temperature, and stays there.

Kicks put in as much energy as collisions take at T = (ξ² / Γ)^(2/3), where Γ T^(3/2) is the
rate of cooling of kinetic theory (van Noije & Ernst 1998, here without the small correction for
velocities that are not quite Maxwellian). The gas stays a per cent or two warmer: particles that
meet move more alike than the theory assumes.

python steady_granular_gas.py [picture.png]
"""

import sys

import carom
from carom.plotting import diagram, haff_cooling_time

path = sys.argv[1] if len(sys.argv) > 1 else "steady_granular_gas.png"

strength = 0.02
figure, axes = diagram(("time", "temperature"))
for start in (0.1, 1.0, 4.0):
    particles, box = carom.packings.lattice(1000, 0.05, dimension=2, temperature=start, seed=1)
    system = carom.System(particles, box, law=carom.ConstantRestitution(0.8))
    record = carom.Record(1.0, "temperature")
    kicks = carom.RandomKicks(strength, every=0.5)
    simulation = carom.Simulation(system, actors=[kicks], observers=[record], seed=1)
    simulation.run(until=150.0)
    simulation.reset_averages()
    simulation.run(until=500.0)
    axes.semilogy(record["time"], record["temperature"], lw=1, label=f"from {start}")
    print(
        f"from {start}: temperature {simulation.mean_temperature:.4f} from time 150 on; the kicks "
        f"put in {simulation.work_done:.0f}, collisions took {simulation.dissipated_energy:.0f}"
    )

# A gas that is not heated cools as T' = −2 T / τ at first.
cooling = 2.0 / haff_cooling_time(system, 1.0)
expected = (strength / cooling) ** (2 / 3)
axes.axhline(expected, color="#b8b8b8", lw=3, zorder=0, label="kinetic theory")
axes.legend(frameon=False, fontsize=8)
figure.savefig(path)
print(f"kinetic theory: {expected:.4f}; see {path}")
