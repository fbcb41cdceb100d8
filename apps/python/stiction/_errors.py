"""What can go wrong, as exceptions and warnings."""

from __future__ import annotations


class LoadError(ValueError):
    """A file that cannot be loaded. The message is one line: "file:line: <element>: what is wrong; what to do".

    file: its path. line: 1-based; 0: the file as a whole.
    """

    def __init__(self, message: str, file: str = "", line: int = 0) -> None:
        super().__init__(message)
        self.file = file
        self.line = line


class SimulationError(RuntimeError):
    """A simulation that cannot go on. Its world stands in the last good state.

    status: 'diverged', 'singular_mass', or 'budget_missed' where on_miss='stop' asked for it.
    time: of the world [s]. body: the name of the body whose state stopped being finite, or ''.
    """

    def __init__(self, message: str, status: str = "", time: float = 0.0, body: str = "") -> None:
        super().__init__(message)
        self.status = status
        self.time = time
        self.body = body


class BusyError(RuntimeError):
    """A world or a batch that is in the middle of a step: of another thread, or of the rollout whose policy asks."""

    def __init__(self, what: str = "World") -> None:
        super().__init__(what)  # as pickle makes it again

    def __str__(self) -> str:
        what = self.args[0]
        return (f"this {what} is in use, by another thread or by a policy's own rollout; give each thread its own {what}, "
                "or wait for the step to return")


class ModelWarning(UserWarning):
    """Something physical in a model's file that the simulation goes without."""
