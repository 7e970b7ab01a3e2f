"""Act at times of their own, on velocities or on who is there: a file is one way to act."""

from carom.actors.actor import Actor
from carom.actors.andersen_thermostat import AndersenThermostat
from carom.actors.exchange import Traffic
from carom.actors.inlet import Inlet
from carom.actors.outlet import Outlet
from carom.actors.random_kicks import RandomKicks
from carom.actors.recirculation import Recirculation
from carom.actors.rescaling_thermostat import RescalingThermostat

__all__ = [
    "Actor",
    "AndersenThermostat",
    "Inlet",
    "Outlet",
    "RandomKicks",
    "Recirculation",
    "RescalingThermostat",
    "Traffic",
]
