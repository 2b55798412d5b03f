# SPDX-License-Identifier: BSD-3-Clause
"""Checks documents against JSON schemas. The first mistake is bad input,
in one line with its place and what was expected.

A schema may say what it expects in words, under the key `expected`, which validators pass over. `pattern` is not
checked here: it says how files of this tree call things, and papers elsewhere may use other names."""

import json
import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from jsonschema import Draft7Validator, ValidationError
from jsonschema.validators import extend

from .errors import InputError
from .nearest_names import suggestion
from .paths import experiments_dir

_Validator = extend(Draft7Validator, {"pattern": lambda *_: ()})
_TYPES = {"object": "an object", "array": "a list", "string": "a text", "number": "a number", "null": "null"}


def check(document: Any, schema: Mapping[str, Any], where: str) -> None:
    """Checks a document; InputError begins with `where` and the JSON pointer of the mistake."""
    _refuse(_first_mistake(_Validator(schema), document), where)


def check_claims(document: Any, where: str, definition: str = "") -> None:
    """Checks a file of claims, or what is a `definition` of its schema."""
    _refuse(_mistake_in_file("claims", definition, json.dumps(document)), where)


def check_errata(document: Any, where: str) -> None:
    """Checks a file of errata."""
    _refuse(_mistake_in_file("errata", "", json.dumps(document)), where)


def _refuse(mistake: str, where: str) -> None:
    if mistake:
        raise InputError(where + (mistake.removeprefix(": ") if where.endswith(": ") else mistake))


@lru_cache(maxsize=None)
def _mistake_in_file(what: str, definition: str, text: str) -> str:
    """Cached, since a command reads the same claims several times and the check takes longer than reading."""
    return _first_mistake(
        _of_file(experiments_dir() / "harness" / "schema" / f"{what}.schema.json", definition), json.loads(text)
    )


@lru_cache
def _of_file(path: Path, definition: str) -> Any:
    schema = json.loads(path.read_text(encoding="utf-8"))
    if definition:
        schema = {"definitions": schema["definitions"], "$ref": f"#/definitions/{definition}"}
    return _Validator(schema)


def _first_mistake(validator: Any, document: Any) -> str:
    """Pointer and words; empty where there is none."""
    error = next(validator.iter_errors(document), None)
    return "" if error is None else "".join(f"/{part}" for part in error.absolute_path) + f": {_said(error)}"


def _said(error: ValidationError) -> str:
    """What is wrong at the place of the mistake."""
    schema, found = error.schema, error.instance
    expected = schema.get("expected", "")
    if error.validator == "additionalProperties":
        known, unknown = list(schema.get("properties", {})), _unknown(found, schema)
        nearest = suggestion(unknown[0], known) if known else ""
        return f"unknown key {unknown[0]!r}" + (f", expected {expected}" if expected else nearest)
    if error.validator == "required":
        missing = next(key for key in error.validator_value if key not in found)
        return f"key {missing} is missing" + (f", expected {expected}" if expected else "")
    if error.validator == "enum" and not expected:
        expected = f"one of {', '.join(map(str, error.validator_value))}"
    if error.validator == "type" and not expected:
        types = error.validator_value if isinstance(error.validator_value, list) else [error.validator_value]
        expected = " or ".join(_TYPES.get(t, t) for t in types)
    return f"{_short(found)}, expected {expected}" if expected else str(error.message)


def _unknown(found: Mapping[str, Any], schema: Mapping[str, Any]) -> list[str]:
    """The keys that the schema does not name, by themselves or by a pattern."""
    patterns = schema.get("patternProperties", {})
    return [k for k in found if k not in schema.get("properties", {}) and not any(re.search(p, k) for p in patterns)]


def _short(value: Any) -> str:
    """A value as messages show it."""
    text = repr(value) if isinstance(value, str) else json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:77] + "…"
