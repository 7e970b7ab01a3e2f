"""What people see of particles, systems and simulations when they print them."""

from __future__ import annotations

import carom


def test_particles_tell_their_number_kind_and_sizes() -> None:
    disks = carom.Particles([[1.0, 1.0], [3.0, 3.0]], radius=[0.25, 0.5], mass=2.0)
    assert repr(disks) == "<Particles: 2 disks, radius 0.25 to 0.5, mass 2>"
    assert repr(carom.Particles([[0.0, 0.0, 0.0]])) == "<Particles: 1 sphere, radius 0.5, mass 1>"


def test_systems_tell_all_that_acts_on_the_particles() -> None:
    one = carom.Particles([[1.0, 1.0]])
    plain = carom.System(one, carom.Periodic(4.0))
    assert repr(plain) == f"<System: 1 disk in {carom.Periodic(4.0)!r}, Elastic()>"
    floor, drag = carom.Plane((0.0, 0.0), (0.0, 1.0)), carom.forces.LinearDrag(1.0)
    full = carom.System(one, gravity=(0.0, -1.0), walls=[floor], force=drag)
    told = f"gravity [0.0, -1.0], 1 wall elastic, force {full.force!r}"
    assert repr(full) == f"<System: 1 disk in Open(), Elastic(), {told}>"


def test_simulations_tell_how_far_they_are_and_by_what() -> None:
    simulation = carom.Simulation(carom.System(carom.Particles([[1.0, 1.0]]), carom.Periodic(4.0)))
    assert repr(simulation) == "<Simulation: 1 disk at time 0 after 0 collisions, EventDriven>"
