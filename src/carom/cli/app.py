"""The commands and their options; what they do is imported only when they are called."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console

from carom._version import __version__
from carom.cli import reproducing
from carom.errors import (
    CaromError,
    CheckpointError,
    SceneError,
    StudiesMissing,
    SweepError,
    UnknownEntry,
    UnreadableFile,
)

BAD_INPUT = 2
BAD_INPUTS = (
    SceneError,
    CheckpointError,
    UnreadableFile,
    UnknownEntry,
    StudiesMissing,
    SweepError,
    ImportError,
    FileNotFoundError,
)
RUN_FAILED = 1
INTERRUPTED = 130  # what shells give for a process that Ctrl-C ended

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    help="Simulate many colliding particles: disks and spheres, event by event or in steps.",
    epilog="Begin with: carom run cooling. The scenes that come with carom: carom info.",
)


# What several commands ask for in the same words.
Every = Annotated[int, typer.Option(min=1, help="Only every so many-th frame.")]
Frames = Annotated[str, typer.Option(metavar="FIRST:END", help="Only these, counted as in Python.")]
Radius = Annotated[
    float | None, typer.Option(min=0.0, help="Of all particles, if the file has no radii.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace a file that is there.")]


def main() -> None:
    """Run the command line."""
    app(prog_name="carom")


@contextmanager
def _explained() -> Iterator[None]:
    """Turn what a user can put right into a message and an exit code, without a traceback."""
    try:
        yield
    except BAD_INPUTS as error:
        _complain(str(error))
        raise typer.Exit(BAD_INPUT) from None
    except (CaromError, OSError) as error:
        _complain(str(error))
        raise typer.Exit(RUN_FAILED) from None
    except MemoryError as error:
        _complain(f"There is not enough memory for so many particles or cells ({error}).")
        raise typer.Exit(RUN_FAILED) from None
    except KeyboardInterrupt as interrupt:
        if str(interrupt):
            _complain(str(interrupt))
        raise typer.Exit(INTERRUPTED) from None


def _complain(message: str) -> None:
    console = Console(stderr=True, highlight=False)
    console.print(message, style="red", markup=False, soft_wrap=True)


def _show_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"carom {__version__}")
        raise typer.Exit


@app.callback()
def _options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass


@app.command()
def run(
    scene: Annotated[str, typer.Argument(help="A scene file (TOML), or a built-in scene.")],
    out: Annotated[Path, typer.Option(help="The folder for what the run writes.")] = Path("out"),
    until: Annotated[
        float | None, typer.Option(help="Run up to this time instead of the scene's.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on from the checkpoint in the folder.")
    ] = False,
    checkpoint_every: Annotated[
        float, typer.Option(metavar="SECONDS", min=0.0, help="Computing time between checkpoints.")
    ] = 10.0,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Random numbers from this seed, not the scene's.")
    ] = None,
) -> None:
    """Run a scene, and leave a trajectory, a log, a picture and a checkpoint in a folder."""
    with _explained():
        from carom.cli.running import Request, run_scene

        run_scene(Request(scene, out, until, resume, checkpoint_every, seed))


@app.command()
def view(
    source: Annotated[
        str,
        typer.Argument(help="A scene (TOML file, or built in), a checkpoint or a trajectory."),
    ],
    rate: Annotated[
        float | None,
        typer.Option(
            help="Simulated time per second; inf: the fastest.",
            show_default="so that one can follow",
        ),
    ] = None,
    paused: Annotated[
        bool, typer.Option("--paused", help="Wait for the page before the first collision.")
    ] = False,
    host: Annotated[
        str, typer.Option(help="Show it to others, at this address of the machine.")
    ] = "127.0.0.1",
    port: Annotated[
        int, typer.Option(min=0, max=65535, help="Of the page; 0: any that is free.")
    ] = 0,
    browser: Annotated[
        bool, typer.Option("--browser/--no-browser", help="Open the page, or just say where it is.")
    ] = True,
    seed: Annotated[
        int | None, typer.Option(min=0, help="Random numbers from this seed, not the scene's.")
    ] = None,
) -> None:
    """Run a scene live in the browser, or play a trajectory there."""
    with _explained():
        from carom.cli.viewing import ViewRequest
        from carom.cli.viewing import view as show_in_browser

        show_in_browser(ViewRequest(source, rate, paused, host, port, browser, seed))


@app.command()
def sweep(
    scene: Annotated[
        str | None,
        typer.Argument(help="A scene file with a sweep table, or cooling.", show_default=False),
    ] = None,
    out: Annotated[Path, typer.Option(help="The folder of the sweep.")] = Path("sweep"),
    scheduler: Annotated[
        str | None,
        typer.Option(metavar="ADDRESS", help="Of Dask's scheduler, such as tcp://10.0.0.1:8786."),
    ] = None,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Runs at a time here; all cores when left out.")
    ] = None,
    resume: Annotated[
        bool, typer.Option("--resume", help="Go on with what is in the folder.")
    ] = False,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Check all runs and say what would be done.")
    ] = False,
    status: Annotated[
        Path | None, typer.Option(metavar="FOLDER", help="How far the sweep there has come.")
    ] = None,
    plot: Annotated[
        tuple[str, str, str] | None,
        typer.Option(metavar="X Y HUE", help="Draw what is in the folder; HUE may be none."),
    ] = None,
    checkpoint_every: Annotated[
        float, typer.Option(metavar="SECONDS", help="Computing time between checkpoints.")
    ] = 120.0,
) -> None:
    """Run a scene for all values in its sweep table, here or on a cluster.

    Try: carom sweep cooling.

    It ends with 0 if all runs are done, 1 if some have failed, 2 if what is
    asked for cannot be, and 130 after Ctrl-C; --resume goes on.
    """
    with _explained():
        from carom.cli.sweeping import SweepRequest, sweep_scene

        request = SweepRequest(
            scene, out, scheduler, workers, resume, dry_run, status, plot, checkpoint_every
        )
        if not sweep_scene(request):
            raise typer.Exit(RUN_FAILED)


@app.command()
def estimate(
    scene: Annotated[str, typer.Argument(help="A scene file (TOML), or a built-in scene.")],
    until: Annotated[
        float | None, typer.Option(help="For a run up to this time instead of the scene's.")
    ] = None,
    seconds: Annotated[
        float, typer.Option(min=0.0, max=3600.0, help="For how long the scene is tried.")
    ] = 3.0,
) -> None:
    """Try a scene for a few seconds, and say how long the whole run will take."""
    with _explained():
        from carom.cli.estimating import estimate_scene

        estimate_scene(scene, until, seconds)


@app.command()
def info(
    file: Annotated[
        str | None, typer.Argument(help="A checkpoint, a scene file, or a built-in scene.")
    ] = None,
) -> None:
    """Show what is installed, or what is in a file."""
    with _explained():
        from carom.cli.information import show_file, show_installation

        if file is None:
            show_installation()
        else:
            show_file(file)


@app.command()
def convert(
    source: Annotated[Path, typer.Argument(help="A trajectory, LAMMPS data or XYZ.")],
    target: Annotated[
        Path, typer.Argument(help="Where to: .gsd, .xyz, .dump, .h5 (H5MD) or .pvd (VTK).")
    ],
    every: Every = 1,
    frames: Frames = ":",
    radius: Radius = None,
    force: Force = False,
) -> None:
    """Write a trajectory in another format, which the end of the name says."""
    with _explained():
        from carom.cli.converting import Conversion
        from carom.cli.converting import convert as write_frames

        write_frames(Conversion(source, target, every, frames, radius, force))


@app.command()
def film(
    source: Annotated[Path, typer.Argument(help="The folder of a run, or any trajectory.")],
    target: Annotated[
        Path | None,
        typer.Argument(help="Where to: .mp4, .webm or .gif.", show_default="beside the frames"),
    ] = None,
    frames_per_second: Annotated[
        int, typer.Option("--fps", min=1, max=100, help="Frames per second.")
    ] = 20,
    every: Every = 1,
    frames: Frames = ":",
    colour: Annotated[
        str | None, typer.Option(help="By speed, density, species, group, or plain.")
    ] = None,
    region: Annotated[
        str | None, typer.Option(metavar="X,Y:X,Y", help="Only a part, between two corners.")
    ] = None,
    dark: Annotated[bool, typer.Option("--dark", help="On dark paper.")] = False,
    radius: Radius = None,
    force: Force = False,
) -> None:
    """Make a film (animation, movie, video) of a run or of a trajectory."""
    with _explained():
        from carom.cli.filming import FilmRequest, make_film

        chosen = every, frames, frames_per_second, colour, region, dark, radius, force
        make_film(FilmRequest(source, target, *chosen))


@app.command()
def cache(
    clear: Annotated[
        bool, typer.Option("--clear", help="Remove all of it; what is needed is compiled again.")
    ] = False,
) -> None:
    """Show or clear the compiled code that is kept between runs."""
    with _explained():
        from carom.cli.compiled_code import clear_cache, show_cache

        if clear:
            clear_cache()
        else:
            show_cache()


@app.command(name="warm-up")
def warm_up(
    scenes: Annotated[
        list[str] | None,
        typer.Argument(help="Scene files (TOML) or built-in scenes.", show_default="all built-in"),
    ] = None,
) -> None:
    """Compile ahead what scenes need, so that their first runs start at once."""
    with _explained():
        from carom.cli.warming_up import compile_ahead

        compile_ahead(scenes or [])


@app.command()
def reproduce(
    names: Annotated[
        list[str] | None, typer.Argument(help="Entries, or 'all'.", show_default=False)
    ] = None,
    listed: Annotated[bool, typer.Option("--list", help="Show every entry, and stop.")] = False,
    size: Annotated[
        reproducing.Size, typer.Option(help="About a minute an entry, or the paper's own sizes.")
    ] = reproducing.Size.QUICK,
    out: Annotated[Path, typer.Option("--out", "-o", help="The folder for what it finds.")] = Path(
        "reproduction"
    ),
    keep: Annotated[
        bool, typer.Option("--keep", help="Leave out what the folder already holds as it is now.")
    ] = False,
) -> None:
    """Make figures of the papers again, and say how close they come to the published numbers."""
    with _explained():
        if not reproducing.reproduce(names or [], listed, size, out, keep):
            raise typer.Exit(RUN_FAILED)
