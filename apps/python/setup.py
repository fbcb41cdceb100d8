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
#: A build folder that is configured with STICTION_BUILD_PYTHON and built, to package what is in it; or one to build in.
READY = os.environ.get("STICTION_BUILD_DIR")
BUILD = pathlib.Path(READY).resolve() if READY else ROOT / "build-python"


def read_version() -> str:
    text = (ROOT / "CMakeLists.txt").read_text()
    match = re.search(r"project\(stiction VERSION ([0-9.]+)", text)
    assert match is not None, "CMakeLists.txt says no version"
    return match.group(1)


class CMakeBuild(build_ext):
    """stiction._core, and the viewer beside it, which stiction.show opens.

    STICTION_CMAKE_ARGS: more arguments for CMake, such as -DSTICTION_FAST=ON or -DSTICTION_WITH_VIEWER=OFF.
    STICTION_BUILD_DIR: takes what is built there, and builds nothing.
    """

    def build_extension(self, ext: setuptools.Extension) -> None:
        if not READY:
            self.build_with_cmake()
        module = pathlib.Path(self.get_ext_fullpath(ext.name)).resolve()
        module.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(BUILD / "python" / "stiction" / module.name, module)
        shutil.copytree(ROOT / "assets", module.parent / "assets", dirs_exist_ok=True)
        for library in (BUILD / "lib" / "stiction").glob("*.so"):  # what reads SDFormat, loaded when it is needed
            (module.parent / "lib" / "stiction").mkdir(parents=True, exist_ok=True)
            shutil.copy2(library, module.parent / "lib" / "stiction")
        viewer = BUILD / "bin" / "stiction-view"
        if viewer.exists():
            (module.parent / "bin").mkdir(exist_ok=True)
            shutil.copy2(viewer, module.parent / "bin")

    def build_with_cmake(self) -> None:
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


#: What setuptools leaves behind.
SCRATCH = BUILD / "setuptools"
SCRATCH.mkdir(parents=True, exist_ok=True)

setuptools.setup(
    version=read_version(),
    ext_modules=[setuptools.Extension("stiction._core", sources=[])],
    cmdclass={"build_ext": CMakeBuild},
    options={"build": {"build_base": str(SCRATCH)}, "egg_info": {"egg_base": str(SCRATCH)}},
)
