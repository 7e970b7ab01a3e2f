"""How a cell of a notebook shows things: numbers in a table beside a small picture.

What is shown is asked for by its names only, so that this folder knows no other part of carom and
all of them can use it. There are no scripts, no style sheets and no colours of a page: text and
frames have the colour of what is around them, in light notebooks and in dark ones.
"""

from carom.html.particles_card import particles_card
from carom.html.record_card import record_card
from carom.html.simulation_card import simulation_card
from carom.html.system_card import system_card

__all__ = ["particles_card", "record_card", "simulation_card", "system_card"]
