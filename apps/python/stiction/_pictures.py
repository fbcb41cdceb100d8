"""Pictures, and the viewer."""

from __future__ import annotations

import atexit
import collections.abc
import os
import pathlib
import shutil
import subprocess
import tempfile

from . import _core
from ._core import World
from ._types import ImageArray


def render(
    world: World,
    *,
    width: int = 640,
    height: int = 480,
    camera: str = "",
    show: collections.abc.Sequence[str] = (),
) -> ImageArray:
    """A picture of the world as it is, shape (height, width, 3), uint8. Needs no display and no GPU.

    camera  'file' (MJCF files that say from where), 'corner', 'front', 'left', 'back', 'right', 'top'; of
            these the first unless given; or a camera of the model, or
            'azimuth,elevation,distance[,x,y,z]' [deg, deg, m, m]
    show    besides shapes: 'contacts', 'forces', 'cones', 'frames', 'joints', 'centers', 'inertia', 'collision',
            'transparent'

    Load models with visuals=True to see more than what collides.
    """
    if not hasattr(_core, "render"):
        raise RuntimeError("this build has no renderer (CMake option STICTION_WITH_VIEWER)")
    marks = [show] if isinstance(show, str) else list(show)
    return _core.render(world, width=width, height=height, camera=camera, show=marks)


def _find_viewer() -> str:
    package = pathlib.Path(__file__).parent
    # As installed, and as built.
    for folder in (package / "bin", pathlib.Path(_core.__file__).parent.parent.parent / "bin"):
        if (folder / "stiction-view").is_file():
            return str(folder / "stiction-view")
    found = shutil.which("stiction-view")
    if found is None:
        raise RuntimeError("there is no stiction-view beside the package nor on the PATH: build it (CMake option "
                           "STICTION_WITH_VIEWER) or add its folder to PATH")
    return found


def show(world: World) -> subprocess.Popen[bytes]:
    """Opens the viewer on the world's model and state, in a process of its own, which is returned.

    The viewer goes on from there by itself; the world stays as it is. Raises RuntimeError without a display.
    """
    if not world.model.path:
        raise RuntimeError("the model comes from no file, so that the viewer cannot read it")
    if not os.environ.get("DISPLAY") and not os.environ.get("WAYLAND_DISPLAY"):
        raise RuntimeError("there is no display (DISPLAY is not set); stiction.render makes pictures without one")
    folder = tempfile.mkdtemp(prefix="stiction")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    state = os.path.join(folder, "state.json")
    world.save(state)
    return subprocess.Popen([_find_viewer(), state, "--paused", "--solver", world.solver, "--dt", repr(world.timestep)])
