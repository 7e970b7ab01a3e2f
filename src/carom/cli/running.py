"""``carom run``: a scene from its file, or from its checkpoint, to its outputs."""

from __future__ import annotations

import math
import shlex
from pathlib import Path
from time import perf_counter
from typing import Any, NamedTuple

from carom.cli.building import Start, method_of, start_of
from carom.cli.columns import group_columns
from carom.cli.folder import Folder, RunRecord, changes
from carom.cli.scene_files import SceneFile, read_scene
from carom.cli.summary import console, say, show_summary
from carom.errors import CaromError, CheckpointError, SceneError
from carom.fluids import velocity
from carom.methods import Coupled, Laden
from carom.observers import Observer, Table, Trajectory
from carom.progress import Compilation, progressed
from carom.simulation import Simulation, load
from carom.simulation.runs import read_table

DEFAULT_FRAMES = 100
DEFAULT_LINES = 1000
MOST_LOOKS = 1e9
MOST_DIFFERENCES = 4  # named when a scene has changed
NO_FLOW = (
    "The film shows no flow: that is made step by step, and a trajectory does not hold it. In "
    "Python it is kept with the looks, carom.plotting.Looks(0.1, FlowView())."
)


class Request(NamedTuple):
    """What the command line asks for."""

    scene: str
    out: Path
    until: float | None
    resume: bool
    checkpoint_every: float
    seed: int | None

    def command_to_resume(self) -> str:
        """The command that goes on with this run."""
        words = ["carom", "run", self.scene, "--out", str(self.out), "--resume"]
        if self.until is not None:
            words += ["--until", repr(self.until)]
        return shlex.join(words)


class Passport(Observer):
    """Sees nothing; puts into every checkpoint which run it belongs to."""

    keeps = True

    def __init__(self, record: RunRecord) -> None:
        super().__init__(math.inf)
        self.record = record

    def observe(self, simulation: Any) -> None:
        """Nothing to see."""

    def state(self) -> dict[str, Any]:
        """The schedule and the record of the run."""
        return super().state() | {"run": self.record._asdict()}


class Job(NamedTuple):
    """A run under way."""

    request: Request
    file: SceneFile
    folder: Folder
    simulation: Simulation
    passport: Passport
    until: float


def run_scene(request: Request) -> None:
    """Run a scene as asked, and leave its outputs in the folder."""
    file = read_scene(request.scene)
    folder = Folder(request.out)
    until = end_of(file, request.until)
    _refuse_film_without_a_writer(file, folder)
    resuming = request.resume and folder.checkpoint.exists()
    if request.resume and not resuming:
        say(f"There is no checkpoint in {folder.path} yet: starting from the beginning.")
    if resuming and _nothing_left(request, file, folder, until):
        return
    job = _resumed(request, file, folder, until) if resuming else _new(request, file, folder, until)
    _carry_out(job)


def end_of(file: SceneFile, until: float | None) -> float:
    """Up to which time a scene runs, if another one was asked for up to that."""
    end = file.scene.run.until if until is None else until
    if not (math.isfinite(end) and end > 0.0):
        raise SceneError(f"--until must be a positive time, not {end:g}.")
    return end


def _new(request: Request, file: SceneFile, folder: Folder, until: float) -> Job:
    seed = file.scene.run.seed if request.seed is None else request.seed
    start = start_of(file, seed)
    report = _stokes_report(file, start)
    passport = Passport(RunRecord(file.data, seed, start.sizes, finished=False))
    replaces = folder.claim()
    if not replaces:
        # Before any other file, so that what a kill leaves is known as carom's.
        folder.keep_scene(file, seed)
    _announce(file, start, report)
    with console.status("Setting up ..."):
        try:
            simulation = Simulation(
                start.system,
                method=start.method,
                actors=start.actors,
                seed=seed,
                observers=observers_of(file, folder, passport),
            )
        except ValueError as error:
            if not replaces:
                folder.scene.unlink()
            raise SceneError(f"{file.given}: {error}") from error
        if replaces:
            say(f"Replacing the earlier run in {folder.path}.")
            # Not every run makes a film: none may be left of another one.
            for earlier in (folder.checkpoint, *folder.films.values()):
                earlier.unlink(missing_ok=True)
            folder.keep_scene(file, seed)
        compilation = Compilation(type(simulation.method).__name__, say)
        if not (math.isnan(simulation.dt) or simulation.is_compiled):
            # Methods with steps need it to set back the velocities by half a step.
            compilation.expect()
        # The first checkpoint shows at once whether the folder can be written to.
        simulation.save(folder.checkpoint)
        compilation.done()
    return Job(request, file, folder, simulation, passport, until)


def _nothing_left(request: Request, file: SceneFile, folder: Folder, until: float) -> bool:
    """Whether the run in the folder is complete up to this time; says so. Refuses another run."""
    record, time = folder.kept()
    different = list(changes(record.scene, file.data))
    if request.seed is not None and request.seed != record.seed:
        different.append(f"the seed was {record.seed} and is {request.seed}")
    if different:
        more = len(different) - MOST_DIFFERENCES
        named = different[:MOST_DIFFERENCES] + ([f"and {more} more"] if more > 0 else [])
        raise CheckpointError(
            f"{folder.checkpoint} belongs to another run than {file.given} describes: "
            f"{'; '.join(named)}. Start again without --resume, or in another folder."
        )
    if time > until or (time == until and record.finished):
        say(f"The run in {folder.path} is already at t = {time:g}; a larger --until goes on.")
        return True
    return False


def _resumed(request: Request, file: SceneFile, folder: Folder, until: float) -> Job:
    record, _ = folder.kept()
    passport = Passport(record._replace(finished=False))
    simulation = load(
        folder.checkpoint,
        # A checkpoint does not hold the frames of a flow that is read from a file.
        method=method_of(file.scene.method),
        observers=observers_of(file, folder, passport),
    )
    say(f"Going on from t = {simulation.time:g} in {folder.path}.")
    return Job(request, file, folder, simulation, passport, until)


def _announce(file: SceneFile, start: Start, report: str) -> None:
    particles = start.system.particles
    kind = "disks" if particles.dimension == 2 else "spheres"
    title = f"{file.scene.title}: " if file.scene.title else ""
    say(f"{title}{len(particles):,} {kind}", style="bold")
    if report:
        say(report)


def _stokes_report(file: SceneFile, start: Start) -> str:
    """What is said of particles in a flow; nothing of others."""
    if not isinstance(start.method, Laden | Coupled):
        return ""
    try:
        return start.method.stokes_report(start.system)
    except ValueError as error:
        raise SceneError(f"{file.given}: {error}") from error


def observers_of(file: SceneFile, folder: Folder, passport: Passport) -> list[Observer]:
    """The passport, the trajectory and the log; always in this order, as checkpoints keep it."""
    scene, output = file.scene, file.scene.output
    of_groups: dict[str, Any] = {}
    for group, members in zip(scene.particles, passport.record.members, strict=True):
        if group.name:
            of_groups |= group_columns(group.name, members, scene.dimension)
    # The spacing follows from the scene alone: with --until a run is longer, not different.
    frames = spacing_of_looks(output.trajectory_every, scene.run.until, DEFAULT_FRAMES)
    lines = spacing_of_looks(output.log_every, scene.run.until, DEFAULT_LINES)
    return [
        passport,
        Trajectory(folder.trajectory, frames),
        Table(folder.log, lines, *output.columns, **of_groups),
    ]


def spacing_of_looks(every: float | None, until: float, default_number: int) -> float:
    """The time between looks, so that a look that is to fall on the end does not miss it."""
    every = until / default_number if every is None else every
    if until / every > MOST_LOOKS:
        raise SceneError(
            f"'output' asks for something every {every:g}, {until / every:.0e} times until "
            f"{until:g}; take a longer time between."
        )
    number = round(until / every)
    # 3 × 0.1 > 0.3 in floating point; a unit in the last place less keeps the last look.
    while number * every > until >= number * every * (1.0 - 1e-12):
        every = math.nextafter(every, 0.0)
    return every


def _carry_out(job: Job) -> None:
    """Run to the end, with checkpoints on the way; draw, keep and summarise."""
    simulation, folder = job.simulation, job.folder
    stopwatch = Stopwatch(job)
    try:
        simulation.run(until=job.until, progress=True, after_each_piece=stopwatch.tick)
    except KeyboardInterrupt:
        simulation.save(folder.checkpoint)
        raise KeyboardInterrupt(
            f"Stopped at t = {simulation.time:g}. Go on with: {job.request.command_to_resume()}"
        ) from None
    except (CaromError, ValueError) as error:
        simulation.save(folder.checkpoint)
        say(f"The state at t = {simulation.time:g} is in {folder.checkpoint}.")
        if isinstance(error, CaromError):
            raise
        raise SceneError(f"{job.file.given}: {error}") from error
    rate = stopwatch.rate()
    simulation.save(folder.checkpoint)
    with console.status("Drawing the picture ..."):
        _draw(job)
    _draw_film(job)
    # Last of all: a checkpoint that says "finished" vouches for every other file.
    job.passport.record = job.passport.record._replace(finished=True)
    simulation.save(folder.checkpoint)
    show_summary(simulation, folder, rate)


class Stopwatch:
    """Keeps checkpoints by the clock, and measures the collisions or steps per second."""

    def __init__(self, job: Job) -> None:
        self._job = job
        self._last_checkpoint = perf_counter()
        self._first_piece: tuple[float, int] | None = None

    def tick(self) -> None:
        """Note that a piece of the run is done; write a checkpoint when it is time to."""
        if self._first_piece is None:
            # Not before: the first piece may have waited for the compiler.
            self._first_piece = (perf_counter(), progressed(self._job.simulation)[0])
        if perf_counter() - self._last_checkpoint >= self._job.request.checkpoint_every:
            self._job.simulation.save(self._job.folder.checkpoint)
            self._last_checkpoint = perf_counter()

    def rate(self) -> float:
        """Collisions or steps per second, observers included; NaN for runs too short to tell."""
        seconds, number = self._first_piece or (perf_counter(), 0)
        seconds = perf_counter() - seconds
        gained = progressed(self._job.simulation)[0] - number
        return gained / seconds if seconds > 0.1 else math.nan


def _draw(job: Job) -> None:
    from carom.plotting import picture_of_run

    picture_of_run(
        job.simulation,
        read_table(job.folder.log),
        job.folder.picture,
        plot=job.file.scene.output.plot,
        **appearance(job.file, job.passport.record, job.simulation),
    )


def _draw_film(job: Job) -> None:
    """Make the film of all frames of the trajectory, if the scene asks for one."""
    kind = job.file.scene.output.film
    if kind is None:
        return
    from carom.plotting import TrajectoryLooks, film

    looks = TrajectoryLooks(job.folder.trajectory, job.simulation.system)
    shown = appearance(job.file, job.passport.record, job.simulation, afterwards=True)
    film(job.folder.films[kind], looks, progress=True, **shown)


def appearance(
    file: SceneFile, record: RunRecord, simulation: Simulation, afterwards: bool = False
) -> dict[str, Any]:
    """What the picture and the film of a run share.

    A flow that is made step by step is gone ``afterwards``, but for its last state.
    """
    from carom.plotting import FlowView

    output, members = file.scene.output, record.members
    groups = {
        group.name or f"group {k + 1}": members[k] for k, group in enumerate(file.scene.particles)
    }
    fluid = getattr(simulation.method, "fluid", None)
    flow = None
    if fluid is not None and output.flow != "none":
        if not afterwards or type(fluid) in velocity.implementations:
            flow = FlowView(simulation.fluid.velocity, show=output.flow)
        else:
            say(NO_FLOW)
    return {"colour": output.colour, "groups": groups, "title": file.scene.title, "flow": flow}


def _refuse_film_without_a_writer(file: SceneFile, folder: Folder) -> None:
    """Before the run, not after it."""
    kind = file.scene.output.film
    if kind is None:
        return
    from carom.plotting.encoders import encoder_for
    from carom.plotting.film import FRAMES_PER_SECOND

    try:
        encoder_for(folder.films[kind], FRAMES_PER_SECOND)
    except ValueError as error:
        raise SceneError(f"{file.given}: 'output.film': {error}") from error
