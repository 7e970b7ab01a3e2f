"""What all tables of a scene file share."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class Table(BaseModel):
    """A table of a scene file; keys that it does not know are refused."""

    # Strict: the text "0.9" is not a number, and true is not 1.
    model_config = ConfigDict(extra="forbid", strict=True, allow_inf_nan=False, frozen=True)
