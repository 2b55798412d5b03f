# SPDX-License-Identifier: BSD-3-Clause
"""Scene files of cells, with the mesh files that they refer to, for archives."""

import json
import os
import posixpath
import subprocess
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from .paths import command


def scene_file_of(spec: Mapping[str, Any]) -> object:
    """What the spec, perhaps a foreign one, names as the file of its scene; None where it names none."""
    scene = spec.get("scene")
    return scene.get("file") if isinstance(scene, Mapping) else None


class SceneFiles:
    """Asks the command once per scene file: the digest of its content is the command's alone."""

    def __init__(self) -> None:
        self._described: dict[str, dict[str, Any]] = {}

    def members(self, spec: Mapping[str, Any]) -> dict[str, Path]:
        """The scene file first, then its meshes, by their names in an archive. Empty where the cell's scene is one by
        name, or where the files are no longer what the cell was run on."""
        named = scene_file_of(spec)
        if (
            not isinstance(named, str) or not named.isprintable()
        ):  # the path of no file, or of none that could be listed
            return {}
        details = self._describe(named)
        content = details.get("content")
        if content is None or content != spec["scene"].get("content"):
            return {}
        files = [Path(name) for name in details["files"]]
        root = os.path.commonpath([str(file.parent) for file in files])
        return {f"scenes/{content}/{file.relative_to(root).as_posix()}": file for file in files}

    def _describe(self, file: str) -> dict[str, Any]:
        if file not in self._described:
            # As an absolute path it is neither an option nor the id of something else.
            words = [str(command()), "describe", "--json", os.path.abspath(file)]
            done = subprocess.run(words, capture_output=True, text=True, errors="replace", check=False)
            self._described[file] = json.loads(done.stdout) if done.returncode == 0 else {}
        return self._described[file]


def with_archived_scene(spec: Mapping[str, Any], name: str, spec_name: str) -> dict[str, Any]:
    """The spec that is `spec_name` in the archive, with its scene file `name` as a path from there."""
    return {**spec, "scene": {**spec["scene"], "file": posixpath.relpath(name, posixpath.dirname(spec_name))}}
