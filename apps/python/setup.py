"""Builds the extension module with the clone's own CMake project: what stands in pyproject.toml does the rest."""

from __future__ import annotations

import os
import pathlib
import re
import shlex
import shutil
import subprocess
import sys

import setuptools
from setuptools.command.build_ext import build_ext

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parent.parent
BUILD = ROOT / "build-python"


def read_version() -> str:
    text = (ROOT / "CMakeLists.txt").read_text()
    match = re.search(r"project\(stiction VERSION ([0-9.]+)", text)
    assert match is not None, "CMakeLists.txt says no version"
    return match.group(1)


class CMakeBuild(build_ext):
    """stiction._core, and the viewer beside it, which stiction.show opens.

    STICTION_CMAKE_ARGS: more arguments for CMake, such as -DSTICTION_FAST=ON or -DSTICTION_WITH_VIEWER=OFF.
    """

    def build_extension(self, ext: setuptools.Extension) -> None:
        arguments = [
            "-DCMAKE_BUILD_TYPE=Release",
            "-DSTICTION_BUILD_PYTHON=ON",
            "-DSTICTION_BUILD_APPS=ON",
            "-DSTICTION_BUILD_TESTS=OFF",
            f"-DPython3_EXECUTABLE={sys.executable}",
            *shlex.split(os.environ.get("STICTION_CMAKE_ARGS", "")),
        ]
        subprocess.run(["cmake", "-G", "Ninja", "-S", ROOT, "-B", BUILD, *arguments], check=True)
        has_viewer = "STICTION_WITH_VIEWER:BOOL=ON" in (BUILD / "CMakeCache.txt").read_text()
        targets = ["stiction_python"] + ["stiction_viewer"] * has_viewer
        subprocess.run(["cmake", "--build", BUILD, "--target", *targets], check=True)

        module = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        module.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(BUILD / "python" / "stiction" / module.name, module)
        shutil.copytree(ROOT / "assets", module.parent / "assets", dirs_exist_ok=True)
        if has_viewer:
            (module.parent / "bin").mkdir(exist_ok=True)
            shutil.copy2(BUILD / "bin" / "stiction-view", module.parent / "bin")


setuptools.setup(
    version=read_version(),
    ext_modules=[setuptools.Extension("stiction._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
)
