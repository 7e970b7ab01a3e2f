"""What happens at a collision, and with what a law of one's own is made.

A law is a ``NamedTuple`` of its parameters and a function registered with ``restitution``. Those
that exist are in ``carom`` itself: ``carom.Elastic``, ``carom.ConstantRestitution``, ...
"""

from carom.collisions import laws_by_pair as laws_by_pair
from carom.collisions.by_pair import ByPair as ByPair
from carom.collisions.constant_restitution import ConstantRestitution as ConstantRestitution
from carom.collisions.contact_duration import ContactDuration as ContactDuration
from carom.collisions.elastic import Elastic as Elastic
from carom.collisions.restitution import Contact, restitution
from carom.collisions.rough import RoughRestitution as RoughRestitution
from carom.collisions.rough import tangential_restitution
from carom.collisions.viscoelastic import ViscoelasticRestitution as ViscoelasticRestitution

__all__ = ["Contact", "restitution", "tangential_restitution"]
