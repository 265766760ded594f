"""The commands, their options and their examples."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Annotated

import typer

from nonholo import __version__
from nonholo.cli import export, field, lab, motion, questions, report
from nonholo.cli.options import Json, Laws, Settings, Start, System, Until
from nonholo.cli.subject import offered_files, offered_forms, offered_methods, offered_subjects

app = typer.Typer(
    name="nonholo",
    help="Mechanics with velocity constraints: equations, checks and motion from a few lines of text.",
    epilog="Example: nonholo check chaplygin-sleigh",
    rich_markup_mode="rich" if sys.stdout.isatty() else None,
    pretty_exceptions_enable=False,
)

METHODS = "dop853, taylor, rk4, verlet, rattle, hamel"


@app.callback(invoke_without_command=True)
def front(
    context: typer.Context, version: Annotated[bool, typer.Option("--version", help="Show the version.")] = False
) -> None:
    """Mechanics with velocity constraints: equations, checks and motion from a few lines of text."""
    if version:
        typer.echo(f"nonholo {__version__}")
        raise typer.Exit()
    if context.invoked_subcommand is None:
        typer.echo(context.get_help())


@app.command("list", epilog="Example: nonholo list")
def list_(json: Json = False) -> int:
    """The systems of the gallery."""
    return questions.show_list(json)


@app.command(epilog="Example: nonholo derive chaplygin-sleigh --frame 'u=2*v, w=omega'")
def derive(
    system: System,
    form: Annotated[
        str,
        typer.Option(
            metavar="FORM", help=f"Which equations: {', '.join(offered_forms(''))}.", autocompletion=offered_forms
        ),
    ] = "hamel",
    frame: Annotated[
        str | None,
        typer.Option(metavar="FRAME", help="Velocities, 'u=xdot*cos(theta), …', or body, spatial, coordinates."),
    ] = None,
    latex: Annotated[bool, typer.Option("--latex", help="As LaTeX.")] = False,
    json: Json = False,
) -> int:
    """The equations of motion."""
    return questions.show_equations(system, form, frame, latex, json)


@app.command(epilog="Example: nonholo check chaplygin-sleigh --set a=0.2")
def check(system: System, settings: Settings = [], json: Json = False) -> int:  # noqa: B006
    """Do all derivations agree, are the constraints independent, does energy balance? Exit code 1 if not."""
    return questions.show_checks(system, settings, json)


@app.command(epilog="Example: nonholo classify chaplygin-sleigh")
def classify(system: System, json: Json = False) -> int:
    """What kind of constraints: holonomic or not, growth vector."""
    return questions.show_class(system, json)


@app.command(epilog="Example: nonholo reduce chaplygin-sleigh")
def reduce(
    system: System,
    latex: Annotated[bool, typer.Option("--latex", help="The reduced equations as LaTeX.")] = False,
    json: Json = False,
) -> int:
    """The system modulo its symmetry: bases, connection, momentum equation, reduced equations."""
    from nonholo.cli.symmetry import show_reduction

    return show_reduction(system, latex, json)


@app.command(epilog="Example: nonholo integrals gauge-momentum --depends-on r")
def integrals(
    system: System,
    depends_on: Annotated[
        str | None,
        typer.Option(metavar="NAMES", help="What the coefficients of momenta depend on: coordinates or sums of them."),
    ] = None,
    settings: Settings = [],  # noqa: B006
    json: Json = False,
) -> int:
    """The quantities that stay constant, with how they were found."""
    from nonholo.cli.symmetry import show_integrals

    return show_integrals(system, depends_on, settings, json)


@app.command(epilog="Example: nonholo stability chaplygin-sleigh --start v=2")
def stability(
    system: System,
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    along: Annotated[
        str | None, typer.Option(metavar="NAME=FROM:TO", help="Follow steady motions along a quantity or parameter, v=0:10.")
    ] = None,
    switch: Annotated[bool, typer.Option("--switch", help="Follow the other branches through its branch points too.")] = False,
    figure: Annotated[Path | None, typer.Option(help="Eigenvalues along the branch as a picture (png, pdf, svg).")] = None,
    draw: Annotated[
        str | None, typer.Option(metavar="NAME", help="Draw this quantity along the branches instead of eigenvalues.")
    ] = None,
    json: Json = False,
) -> int:
    """Equilibria and steady motions, and whether they are stable: at --start, along a branch, or all that are found."""
    from nonholo.cli.behaviour import Along, show_stability

    return show_stability(system, settings, start, Along(along, switch, figure, draw), json)


@app.command(epilog="Example: nonholo section spherical-pendulum --event gamma1 --crossings 200")
def section(
    system: System,
    event: Annotated[
        str | None, typer.Option(metavar="TEXT", help="What passes through zero; a variable that does so often unless given.")
    ] = None,
    crossings: Annotated[int, typer.Option(metavar="N", help="How many crossings of each start.")] = 1000,
    direction: Annotated[int, typer.Option(help="1 upwards, -1 downwards, 0 both.")] = 0,
    starts: Annotated[str | None, typer.Option(metavar="NAME=FROM:TO:N", help="Many starts, y=-0.3:0.5:12.")] = None,
    level: Annotated[list[str], typer.Option(metavar="NAME=NUMBER", help="Starts on a level, energy=0.1; with --solve.")] = [],  # noqa: B006
    solve: Annotated[list[str], typer.Option(metavar="NAME", help="The variable that puts a start on the level.")] = [],  # noqa: B006
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    until: Until = None,
    plot: Annotated[str | None, typer.Option(metavar="X,Y", help="The plane of the figure.")] = None,
    figure: Annotated[Path | None, typer.Option(help="The section as a picture (png, pdf, svg).")] = None,
    out: Annotated[Path | None, typer.Option("--out", "-o", help="Keep the crossings as NetCDF.")] = None,
    json: Json = False,
) -> int:
    """A Poincaré section: where motions pass through a surface. Exit code 1 when a start has fewer crossings than asked for."""
    from nonholo.cli.chaos import Cut, show_section

    cut = Cut(event, crossings, direction, starts, level, solve, until, plot, figure, out)
    return show_section(system, settings, start, cut, json)


@app.command(epilog="Example: nonholo lyapunov chaplygin-sleigh --start v=-1 --until 100")
def lyapunov(
    system: System,
    until: Until = None,
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    figure: Annotated[Path | None, typer.Option(help="Running means as a picture (png, pdf, svg).")] = None,
    json: Json = False,
) -> int:
    """Lyapunov exponents with errors, and what their zeros are due to. Exit code 1 when the motion ends early."""
    from nonholo.cli.chaos import show_exponents

    return show_exponents(system, settings, start, until, figure, json)


@app.command(epilog="Example: nonholo fit chaplygin-sleigh track.csv --unknown a=0.3")
def fit(
    system: System,
    data: Annotated[Path, typer.Argument(metavar="DATA.csv", help="A table with t and quantities of the motion by name.")],
    unknown: Annotated[
        list[str], typer.Option(metavar="NAME=GUESS", help="A parameter or start value with a first guess; repeatable.")
    ] = [],  # noqa: B006
    sigma: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Standard deviation of the data; estimated when left out.")
    ] = None,
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    laws: Laws = [],  # noqa: B006
    json: Json = False,
) -> int:
    """Parameters and start values from measured motion, with their errors."""
    from nonholo.cli.fit import show_fit

    return show_fit(system, data, unknown, sigma, settings, start, laws, json)


@app.command(epilog="Example: nonholo verdict chaplygin-sleigh")
def verdict(system: System, settings: Settings = [], json: Json = False) -> int:  # noqa: B006
    """One judgement: symmetry, integrals, measure, Hamiltonisation; each line proved, measured or open."""
    from nonholo.cli.verdict import show_verdict

    return show_verdict(system, settings, json)


@app.command(epilog="Example: nonholo methods")
def methods(json: Json = False) -> int:
    """The methods of integration: order, and what each was measured to keep."""
    from nonholo.cli.methods import show_methods

    return show_methods(json)


@app.command(epilog="Example: nonholo verify chaplygin-sleigh")
def verify(
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="NAME", help="A paper or a gallery name; all of them when left out.", autocompletion=offered_subjects
        ),
    ] = None,
    label: Annotated[
        str | None, typer.Option(metavar="LABEL", help="One claim, e.g. 6.18 or 'Theorem 4.4'.")
    ] = None,
    json: Json = False,
) -> int:
    """The papers claim by claim and the facts of the gallery, tested. Exit code 1 if one disagrees with its record."""
    from nonholo.cli.verify import show_verdicts

    return show_verdicts(name, label, json)


@app.command(epilog="Example: nonholo new sleigh.toml")
def new(
    file: Annotated[Path, typer.Argument(metavar="FILE.toml", help="A file that does not exist yet.")],
    sweep: Annotated[bool, typer.Option("--sweep", help="A sweep instead of a system.")] = False,
) -> int:
    """Write a commented system to start from."""
    return questions.write_new(file, sweep)


@app.command(epilog="Example: nonholo simulate chaplygin-sleigh --start omega=5 --plot x,y")
def simulate(
    system: System,
    until: Until = None,
    settings: Settings = [],  # noqa: B006
    start: Start = [],  # noqa: B006
    laws: Laws = [],  # noqa: B006
    method: Annotated[
        str,
        typer.Option(
            metavar="NAME",
            help=f"Method of integration: {METHODS} …; a wrong name is answered with all.",
            autocompletion=offered_methods,
        ),
    ] = "dop853",
    rtol: Annotated[
        str | None, typer.Option(metavar="NUMBER", help="Relative tolerance of adaptive methods, 1e-9 unless given.")
    ] = None,
    step: Annotated[str | None, typer.Option(metavar="NUMBER", help="Step of methods with a fixed one.")] = None,
    out: Annotated[Path | None, typer.Option(help="Keep the motion as NetCDF.")] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="X,Y", help="Draw y (or several, x,y,z) against x; t is time.")
    ] = None,
    plot_out: Annotated[Path | None, typer.Option(help="File of the picture (png, pdf, svg).")] = None,
    film: Annotated[
        Path | None, typer.Option(help="Film of the motion: .html to turn with the mouse, .mp4 or .gif.")
    ] = None,
    sensitivity: Annotated[
        str | None, typer.Option(metavar="NAMES", help="Derivatives of the end by parameters and start values, m,omega.")
    ] = None,
    json: Json = False,
) -> int:
    """Compute a motion. Exit code 1 when it ends early."""
    wishes = motion.Wishes(
        settings, start, laws, until, method, rtol, step, out, plot, plot_out, film, json, sensitivity
    )
    if field.is_field(system):
        return field.show_field(system, wishes)
    return motion.show_motion(system, wishes)


@app.command(epilog="Example: nonholo new --sweep g.toml && nonholo sweep g.toml --out g.zarr")
def sweep(
    spec: Annotated[Path, typer.Argument(metavar="SPEC.toml", help="What to vary.", autocompletion=offered_files)],
    out: Annotated[Path | None, typer.Option(help="Where the results go, a zarr store.")] = None,
    scheduler: Annotated[str | None, typer.Option(help="Address of a Dask scheduler.")] = None,
    resume: Annotated[bool, typer.Option(help="Go on where an earlier run stopped.")] = True,
    json: Json = False,
) -> int:
    """Many motions over a grid, here or on a cluster."""
    return motion.show_sweep(spec, out, scheduler, resume, json)


app.command(epilog="Example: nonholo report chaplygin-sleigh --start omega=5 -o sleigh.html")(report.report)
app.command(epilog="Example: nonholo export chaplygin-sleigh --to c -o sleigh.c")(export.export)
app.command(epilog="Example: nonholo lab sleigh.toml")(lab.lab)
