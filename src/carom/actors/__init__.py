"""Act on velocities at times of their own: a file is one way to act."""

from carom.actors.actor import Actor
from carom.actors.andersen_thermostat import AndersenThermostat
from carom.actors.random_kicks import RandomKicks
from carom.actors.rescaling_thermostat import RescalingThermostat

__all__ = ["Actor", "AndersenThermostat", "RandomKicks", "RescalingThermostat"]
