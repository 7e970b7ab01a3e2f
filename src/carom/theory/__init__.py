"""What theory says of hard disks and spheres, to compare simulations with.

Formulas and small solvers, each with its source; nothing here knows how particles are simulated.
"""

from carom.theory import (
    anisotropic_maxwellian,
    contact_values,
    enskog,
    equations_of_state,
    granular_gas,
    jenkins_richman_1985,
    lun_1984,
    percus_yevick,
    santos_2004,
)
from carom.theory.contact_values import contact_value
from carom.theory.gas import Gas
from carom.theory.simple_shear import Parts, SimpleShear

__all__ = [
    "Gas",
    "Parts",
    "SimpleShear",
    "anisotropic_maxwellian",
    "contact_value",
    "contact_values",
    "enskog",
    "equations_of_state",
    "granular_gas",
    "jenkins_richman_1985",
    "lun_1984",
    "percus_yevick",
    "santos_2004",
]
