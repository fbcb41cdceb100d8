#!/usr/bin/env python3
"""Writes stiction/_core.pyi: what pybind11 says of every function in the first line of its docstring.

    PYTHONPATH=build/python /usr/bin/python3 apps/python/bindings/make_stubs.py

With --check it writes nothing, and exits with 1 if the file is out of date.
"""

from __future__ import annotations

import inspect
import pathlib
import re
import sys

import stiction._core as core

STUB = pathlib.Path(__file__).resolve().parent.parent / "stiction" / "_core.pyi"

HEAD = '''"""The extension module. Written by make_stubs.py; do not edit."""

import os
import typing

from numpy.typing import ArrayLike

from ._types import Distance, FloatArray, ImageArray, Rollout, ScenarioResult, Solution, StructuredArray

__version__: str
'''

# pybind11's words, and ours: every list that is returned is one of dicts, and every dict has names as keys.
WORDS = (
    (r"stiction\._core\.", ""),
    (r"\bList\b", "list"),
    (r"\bTuple\b", "tuple"),
    (r"\bOptional\[", "typing.Optional["),
    (r"\bCallable\[", "typing.Callable["),
    (r"\bdict\b", "dict[str, typing.Any]"),
    (r"\blist$", "list[dict[str, typing.Any]]"),
)


#: Of the names with underscores, those that type checkers ask for.
SPECIAL = ("__copy__", "__deepcopy__", "__init__")


def rewrite(text: str) -> str:
    for pattern, replacement in WORDS:
        text = re.sub(pattern, replacement, text)
    return text


def find_signature(function: object) -> tuple[str, str]:
    """Parameters and result, of "name(self: World, n: int = 1) -> None"."""
    line = (inspect.getdoc(function) or "").splitlines()[0]
    match = re.fullmatch(r"\w*\((.*)\) -> (.*)", line)
    assert match is not None, f"no signature: {line}"
    parameters = re.sub(r" = ('[^']*'|[^,]+?)(?=, |$)", " = ...", rewrite(match[1]))
    parameters = re.sub(r"^(self|arg0): [^,]+", "self", parameters)
    return parameters, rewrite(match[2])


def describe_class(cls: type) -> list[str]:
    lines = ["", f"class {cls.__name__}:"]
    for name, member in sorted(vars(cls).items(), key=lambda item: (item[0] != "__init__", item[0])):
        if isinstance(member, property):
            lines += ["    @property", f"    def {name}(self) -> {find_signature(member.fget)[1]}: ..."]
            if member.fset is not None:
                values = find_signature(member.fset)[0].removeprefix("self, ")
                lines += [f"    @{name}.setter", f"    def {name}(self, {values}) -> None: ..."]
        elif name == "__init__" and "Initialize self" in (inspect.getdoc(member) or ""):
            continue  # made by the engine alone
        elif callable(member) and (name in SPECIAL or not name.startswith("_")):
            parameters, result = find_signature(member)
            lines.append(f"    def {name}({parameters}) -> {result}: ...")
    return lines


def make_stub() -> str:
    members = sorted(vars(core).items())
    lines = [HEAD]
    for name, member in members:
        if not isinstance(member, type) and callable(member):
            parameters, result = find_signature(member)
            lines.append(f"def {name}({parameters}) -> {result}: ...")
    for _, member in members:
        if isinstance(member, type):
            lines += describe_class(member)
    return "\n".join(lines) + "\n"


if __name__ == "__main__":
    stub = make_stub()
    if "--check" not in sys.argv:
        STUB.write_text(stub)
    elif STUB.read_text() != stub:
        sys.exit(f"{STUB} is out of date: run {__file__}")
