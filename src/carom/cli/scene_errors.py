"""Messages that name the place, the value and the remedy of everything wrong in a scene file."""

from __future__ import annotations

import json
from typing import Any, get_args

from pydantic import BaseModel, ValidationError

from carom.spelling import suggestion

Place = tuple[int | str, ...]


def explanation(error: ValidationError, top: type[BaseModel], data: dict[str, Any]) -> list[str]:
    """One sentence for each thing that is wrong in ``data``, which is no ``top``."""
    return [
        _sentence(problem, top, data)
        for problem in error.errors(include_url=False, include_context=True)
    ]


def _sentence(problem: Any, top: type[BaseModel], data: dict[str, Any]) -> str:
    place: Place = problem["loc"]
    path = _path(place, data)
    context = problem.get("ctx", {})
    kind, value = problem["type"], problem["input"]
    if kind == "extra_forbidden":
        model = _models_in(_annotation_at(place[:-1], top))[0]
        return _unknown_key(path, str(place[-1]), model, top)
    if kind == "missing":
        return f"'{path}' is missing."
    if kind == "union_tag_not_found":
        return f"'{path}.kind' is missing{suggestion('', _known_kinds(place, top))}"
    if kind == "union_tag_invalid":
        tag, key = context["tag"], context["discriminator"].strip("'")
        return f"'{path}.{key}' is unknown: '{tag}'{suggestion(tag, _known_kinds(place, top))}"
    if kind == "literal_error" and isinstance(value, str):
        known = context["expected"].split("'")[1::2]
        return f"'{path}' is unknown: '{value}'{suggestion(value, known)}"
    if kind == "value_error":
        message = str(context["error"])
        if message.startswith("must be"):
            return f"'{path}' {message}, not {_shown(value)}."
        return f"{path}: {message.rstrip('.')}." if path else f"{message.rstrip('.')}."
    return f"'{path}' {_requirement(problem['msg'])}, not {_shown(value)}."


def _unknown_key(path: str, key: str, model: type[BaseModel], top: type[BaseModel]) -> str:
    if model is not top and key in top.model_fields:
        return (
            f"unknown key '{path}'; '{key}' belongs before the first [table] of the file, or in a "
            "table of its own."
        )
    return f"unknown key '{path}'{suggestion(key, model.model_fields)}"


# pydantic's words for the types that TOML calls otherwise.
REWORDED = {
    "Input should be": "must be",
    "a valid integer": "a whole number",
    "a valid boolean": "true or false",
    "a valid dictionary or object to extract fields from": "a table",
    "a valid": "a",
    "List should have at least 1 item after validation, not 0": "must not be empty",
}


def _requirement(message: str) -> str:
    for theirs, ours in REWORDED.items():
        message = message.replace(theirs, ours)
    return message


def _shown(value: Any) -> str:
    """A value as TOML spells it, cut short."""
    text = json.dumps(value, default=str)
    return text if len(text) <= 60 else text[:57] + "..."


def _path(place: Place, data: Any) -> str:
    """The place as it is spelt in the file; kinds of tables, which pydantic adds, are left out."""
    path = ""
    for k, part in enumerate(place):
        last = k == len(place) - 1
        if isinstance(part, int):
            # A single table stands for a list of one.
            if isinstance(data, list):
                path += f"[{part}]"
                data = data[part]
            continue
        # What has further parts inside it but is not there is the kind of a table.
        if isinstance(data, dict) and part not in data and not last:
            continue
        path += f".{part}" if path else part
        data = data.get(part) if isinstance(data, dict) else None
    return path


def _annotation_at(place: Place, top: type[BaseModel]) -> Any:
    """The annotation of what stands at a place; places go through the kinds of tables."""
    annotation: Any = top
    for part in place:
        if isinstance(part, int):
            continue
        models = _models_in(annotation)
        of_kind = [model for model in models if len(models) > 1 and part in _kinds(model)]
        if of_kind:
            annotation = of_kind[0]
        elif part in models[0].model_fields:  # else the name of an alternative, a table or a number
            annotation = models[0].model_fields[part].annotation
    return annotation


def _models_in(annotation: Any) -> list[type[BaseModel]]:
    """All models that an annotation mentions."""
    if isinstance(annotation, type) and issubclass(annotation, BaseModel):
        return [annotation]
    return [model for part in get_args(annotation) for model in _models_in(part)]


def _kinds(model: type[BaseModel]) -> tuple[str, ...]:
    fields = model.model_fields
    return get_args(fields["kind" if "kind" in fields else "shape"].annotation)


def _known_kinds(place: Place, top: type[BaseModel]) -> list[str]:
    models = _models_in(_annotation_at(place, top))
    return [kind for model in models for kind in _kinds(model)]
