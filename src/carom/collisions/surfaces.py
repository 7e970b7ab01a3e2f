"""How fast the surfaces of two particles slide past each other where they touch."""

from __future__ import annotations

from carom.compiled.kernels import inner_kernel
from carom.compiled.vectors import dot, minus, plus
from carom.types import Vector


@inner_kernel
def cross(a: Vector, b: Vector) -> Vector:
    """a × b"""
    return (
        a[1] * b[2] - a[2] * b[1],
        a[2] * b[0] - a[0] * b[2],
        a[0] * b[1] - a[1] * b[0],
    )


@inner_kernel
def surface_velocity(angular: Vector, radius: float, normal: Vector) -> Vector:
    """r ω × n"""
    turn = cross(angular, normal)
    return (radius * turn[0], radius * turn[1], radius * turn[2])


@inner_kernel
def slip_of(velocity: Vector, turning: Vector, normal: Vector) -> Vector:
    """The relative velocity of the surfaces, without its part along the normal.

    ``velocity`` is that of the centres, ``turning`` the sum of both surface velocities.
    """
    relative = minus(velocity, turning)
    return plus(relative, -dot(relative, normal) / dot(normal, normal), normal)
