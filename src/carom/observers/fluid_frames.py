"""The fluid on its grid every so often, in files that ParaView or carom itself reads."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from carom.files import refuse_other_suffixes
from carom.observers.hdf5_frames import Hdf5Frames
from carom.observers.observer import Observer
from carom.observers.vtk_images import VtkImages
from carom.types import Plain

HDF5_SUFFIXES = (".h5", ".hdf5")


class FluidFrames(Observer):
    """Writes the velocities of the fluid that carries the particles.

    - ``path``: a folder, for VTK images ``fluid_000000.vti``, ... and ``fluid.pvd`` with their
      times, which ParaView opens; or one file that ends in .h5 or .hdf5, which
      ``carom.fluids.GridField.from_hdf5`` reads: it can carry particles again.
    - ``grid``: nodes along each axis, one number or one for each, for a flow that is a formula;
      others are written on their own grid.

    The time of a frame is that of the fluid, which within a step is already at its end; what has
    been written is not written again.
    """

    keeps = True

    def __init__(
        self, path: str | Path, every: float, grid: int | Sequence[int] | None = None
    ) -> None:
        super().__init__(every)
        self.path = Path(path)
        self._grid = grid
        is_folder = self.path.suffix == "" or self.path.is_dir()
        if not is_folder:
            hint = "for VTK images give a folder, whose name has no such ending"
            refuse_other_suffixes(self, self.path, HDF5_SUFFIXES, hint)
        self._files: Any = VtkImages(self.path) if is_folder else Hdf5Frames(self.path)
        self._frames = 0
        self._last: float | None = None

    def settings(self) -> Plain:
        """The name of the file or folder, the schedule and the grid."""
        return super().settings() | {"path": self.path.name, "grid": self._grid}

    def check(self, simulation: Any, state: Plain | None) -> None:
        """Refuse a run without a fluid, and files that are not those to continue."""
        if not hasattr(simulation, "fluid"):
            raise ValueError(
                f"FluidFrames: {type(simulation.method).__name__} has no fluid; use "
                "method=carom.Laden(fluid=...)."
            )
        simulation.fluid.frame(self._grid)
        if state is not None and state["frames"] > 0:
            self._files.check(state["frames"], state["last"])

    def begin(self, simulation: Any, state: Plain | None) -> None:
        """Start anew, or go on after the frames that the checkpoint knows."""
        super().begin(simulation, state)
        self._frames, self._last = (0, None) if state is None else (state["frames"], state["last"])
        self._files.begin(self._frames)

    def observe(self, simulation: Any) -> None:
        """Write a frame, if the fluid has gone on."""
        frame = simulation.fluid.frame(self._grid)
        if self._last is not None and frame.time <= self._last:
            return
        self._files.write(self._frames, *frame)
        self._frames, self._last = self._frames + 1, frame.time

    def state(self) -> Plain:
        """The schedule, and how much has been written."""
        return super().state() | {"frames": self._frames, "last": self._last}
