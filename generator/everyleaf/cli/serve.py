"""`everyleaf serve`: a built site in the browser, as a host would show it."""

from __future__ import annotations

import threading
from collections.abc import Callable
from pathlib import Path
from typing import cast

import click
from msgspec.structs import replace

from everyleaf.cli import options
from everyleaf.cli.build import build, build_options, summary_line
from everyleaf.cli.output import show_error, show_progress
from everyleaf.cli.places import Source
from everyleaf.config import BuildOptions
from everyleaf.errors import OutputError


@click.command()
@click.argument(
    "site_dir", type=click.Path(path_type=Path), default=Path("site"), metavar="[DIR]"
)
@click.option(
    "--port",
    type=click.IntRange(0, 65535),
    default=8000,
    show_default=True,
    metavar="NUMBER",
    help="Port to listen on; 0: any free one.",
)
@options.flag("--open", "opens", help="Open the first page in a browser.")
@options.flag(
    "--watch",
    "is_watched",
    help="Build DIR from the sessions, and again whenever one grows; open pages follow. "
    "Search finds what the last `everyleaf build` knew.",
)
@options.many(
    "--source",
    "sources",
    metavar="SOURCE",
    help="With --watch: where the sessions are, as for `everyleaf build`.",
    type=Source(),
)
@click.option("--title", help="With --watch: the site's title.")
@options.many(
    "--project", metavar="PATTERN", help="With --watch: only projects whose name fits."
)
@options.many(
    "--exclude",
    metavar="PATTERN",
    help="With --watch: leave out sessions and projects whose id or name fits.",
)
@click.option(
    "--config",
    type=options.FILE,
    help="With --watch: settings of the build, instead of everyleaf.toml or"
    " [tool.everyleaf] in pyproject.toml.",
)
@options.archive
def serve(
    *,
    site_dir: Path,
    port: int,
    opens: bool,
    is_watched: bool,
    sources: tuple[Path, ...],
    **chosen: object,
) -> int:
    """Show the site in DIR in a browser, as a host would (default: site).

    With --watch it is built meanwhile, as `everyleaf build` would with the same settings,
    but pages of other projects and the index of the search stay as they are.
    """
    for name, value in {"source": sources, **chosen}.items():
        if value and not is_watched:
            raise click.UsageError(f"--{name.replace('_', '-')} is for --watch")
    if Path("-") in sources:
        raise click.UsageError("standard input cannot be watched")
    asked = _options(site_dir, sources, chosen) if is_watched else None
    if asked is None:
        _check_site(site_dir)
    rebuild = _builder(asked) if asked else None
    from everyleaf.preview import open_preview

    with open_preview(site_dir, port, is_live=rebuild is not None) as address:
        try:
            click.echo(f"{address} shows {str(site_dir)!r}; Ctrl-C ends it", err=True)
            if opens:
                click.launch(address)
            _stay(asked.sources if asked else (), rebuild)
        except KeyboardInterrupt:
            click.echo("stopped", err=True)
    return 0


def _stay(sources: tuple[Path, ...], rebuild: Callable[[], None] | None) -> None:
    stop = threading.Event()
    if rebuild is None:
        # With a timeout, since Windows does not interrupt a wait without one.
        while not stop.wait(0.5):
            pass
        return
    from everyleaf.preview import watch_sources

    watch_sources(sources, rebuild, show_error, stop=stop)


def _check_site(site_dir: Path) -> None:
    """Check that `site_dir` holds a site of ours, so that no other folder is ever shown."""
    from everyleaf.publish.manifest import load_manifest

    if load_manifest(site_dir) is None:
        is_folder = site_dir.is_dir()
        trouble = "was not made by everyleaf" if is_folder else "is no folder"
        # A build would not write where something else is.
        is_taken = any(site_dir.iterdir()) if is_folder else site_dir.exists()
        out = "site" if is_taken else site_dir
        hint = f"build one first: everyleaf build --out {out}"
        raise OutputError(f"{str(site_dir)!r} {trouble}", hint=hint)


def _builder(asked: BuildOptions) -> Callable[[], None]:
    """Return what builds the site, after a look at whether it can at all."""
    from everyleaf.build import build_site
    from everyleaf.publish.manifest import check_output_dir
    from everyleaf.search.index import INDEX_DIR
    from everyleaf.sources.discover import find_sources

    before = check_output_dir(asked.output_dir, sources=asked.sources)
    has_index = any(url.startswith(INDEX_DIR) for url in before.files)
    asked = replace(asked, has_search=asked.has_search and has_index)
    find_sources(asked.sources, include_archive=asked.include_archive)
    is_first = True

    def rebuild() -> None:
        nonlocal is_first
        # Few sessions change at a time; and with the server's threads running, starting
        # processes is slow.
        now = replace(asked, jobs=0 if is_first else 1)
        with show_progress(is_quiet=not is_first) as on_progress:
            report = build_site(now, on_progress=on_progress)
        is_first = False
        click.echo(summary_line(report), err=True)

    return rebuild


def _options(
    site_dir: Path, sources: tuple[Path, ...], chosen: dict[str, object]
) -> BuildOptions:
    """Return the options of a build that is told `chosen`, the rest by its settings."""
    told = ["--out", str(site_dir)]
    for name, value in chosen.items():
        values = cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,)
        option = f"--{name.removeprefix('is_').replace('_', '-')}"
        told += [f"{option}={each}" for each in values if isinstance(each, str | Path)]
        told += [option] if value is True else []
    told += ["--", *map(str, sources)]
    parent = click.get_current_context().parent
    with build.make_context("build", told, parent=parent) as context:
        return replace(build_options(context, context.params), is_preview=True)
