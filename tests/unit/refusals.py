"""Checks of what an error says."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest


def assert_refused(
    make: Callable[[], Any], *parts: str, error: type[Exception] = ValueError
) -> None:
    """Expect an error whose message has all the parts, given as regular expressions."""
    with pytest.raises(error) as caught:
        make()
    for part in parts:
        assert re.search(part, str(caught.value)), (part, str(caught.value))
