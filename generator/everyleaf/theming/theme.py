"""A theme: compiled templates, and static files by their content."""

from __future__ import annotations

import traceback
from collections.abc import Generator, Iterable, Iterator, MutableMapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from itertools import chain as chain_of, takewhile
from pathlib import Path
from pickle import UnpicklingError
from typing import cast

import jinja2
from jinja2.bccache import Bucket
from jinja2.compiler import CodeGenerator
from markupsafe import Markup, escape

from everyleaf.cachedir import default_cache_dir, made_private
from everyleaf.digest import digest_hex
from everyleaf.errors import ThemeError
from everyleaf.outputs import Output
from everyleaf.theming import formats, manifest as manifests
from everyleaf.theming.formats import visible
from everyleaf.theming.headers import content_security_policy, style_digest
from everyleaf.transcript.words import counted, duration, one_line, tool_name

TEMPLATE_SUFFIX = ".html.j2"
_KINDS = {kind.value: kind for kind in manifests.PageKind}


class Theme:
    """Templates and static files of one theme, and of those that it extends.

    Templates see `theme` (this), `csp`, `search_csp` (for a page that searches), and the
    filters of `theming.formats`. Whatever they print is escaped and made `visible`, and an
    undefined name is an error. A template of the theme stands for one of the same name in
    its base, and so does a static file; `<base>/<name>` is the base's template.
    """

    def __init__(self, theme_dir: Path) -> None:
        """Load the theme in `theme_dir`, whose name is the theme's.

        Raises:
            ThemeError: A manifest does not fit, a base or a file is not there, or a file
                lies outside its theme.
        """
        chain = manifests.find_theme_chain(theme_dir)
        self.name = chain[0].name
        self.manifest: manifests.ThemeManifest = chain[0].manifest
        lending = list(takewhile(lambda one: one.manifest.inherits_files, chain))
        # Whose files pages load: the deepest base's first, so that later ones prevail.
        self._manifests = [one.manifest for one in chain[len(lending) :: -1]]
        self._assets = {
            file.name: _load_asset(file)
            for source in chain[len(lending) :: -1]
            for file in _files_inside(source.theme_dir, "static")
        }
        for name in (name for one in self._manifests for name in one.static_names()):
            self._asset(name)
        self._environment = _environment(chain)
        self._templates: dict[str, jinja2.Template] = {}
        names = cast("MutableMapping[str, object]", self._environment.globals)
        names.update(theme=self, csp=content_security_policy())
        names["search_csp"] = content_security_policy(allows_wasm=True)
        added = (page for source in chain[::-1] for page in source.manifest.pages)
        self.pages: tuple[manifests.ExtraPage, ...] = tuple(
            {page.url: page for page in added}.values()
        )
        """Pages that the theme adds, its base's first."""
        for page in self.pages:
            self.template(page.template)

    def asset_url(self, name: str) -> str:
        """Return the site-relative address of the static file `name`.

        Raises:
            ThemeError: The theme has no such file.
        """
        return self._asset(name).url

    def assets(self) -> list[Output]:
        """Return all static files, sorted by address."""
        return sorted(self._assets.values(), key=lambda asset: asset.url)

    @property
    def has_scripts(self) -> bool:
        """Return whether pages load scripts: else nothing that needs one is drawn."""
        return any(one.scripts for one in self._manifests)

    def early_scripts(self) -> list[Output]:
        """Return the scripts that run before the first paint of every page."""
        return self._each_once(one.early_scripts for one in self._manifests)

    def stylesheets(self, kind: manifests.PageKind | None) -> list[Output]:
        """Return the style sheets of pages of `kind`, in the order to link them."""
        return self._each_once(one.stylesheets for one in self._loaded_by(kind))

    def scripts(self, kind: manifests.PageKind | None) -> list[Output]:
        """Return the deferred scripts of pages of `kind`, in order."""
        return self._each_once(one.scripts for one in self._loaded_by(kind))

    def _loaded_by(self, kind: manifests.PageKind | None) -> Iterator[manifests.PageFiles]:
        for manifest in self._manifests:
            yield manifest
            if kind is not None and kind in manifest.kinds:
                yield manifest.kinds[kind]

    def _each_once(self, names: Iterable[Iterable[str]]) -> list[Output]:
        return [self._asset(name) for name in dict.fromkeys(chain_of.from_iterable(names))]

    def _asset(self, name: str) -> Output:
        if name not in self._assets:
            raise ThemeError(
                f"theme {self.name!r} has no static file {name!r}",
                hint="check theme.toml and the theme's static folder",
            )
        return self._assets[name]

    def template(self, name: str) -> jinja2.Template:
        """Return the compiled template `name`.

        Raises:
            ThemeError: There is none, or its syntax is wrong.
        """
        if name not in self._templates:
            with self.explaining(name):
                template = self._templates[name] = self._environment.get_template(name)
            # They are copied for each turn, which of a chain of maps takes long.
            template.globals = {**template.globals}
        return self._templates[name]

    def pieces(self, name: str, page: object) -> Iterator[str]:
        """Yield the template `name` filled with the view `page`, as it is drawn.

        A long page never stands in memory as text.

        Raises:
            ThemeError: The template is missing, broken, or uses a name that is not defined.
        """
        kind = _KINDS.get(name.removesuffix(TEMPLATE_SUFFIX))
        with self.explaining(name):
            yield from self.template(name).generate(page=page, kind=kind)

    @contextmanager
    def explaining(self, name: str) -> Generator[None]:
        """Turn what goes wrong in the template `name` into a `ThemeError` with a hint."""
        try:
            yield
        except jinja2.TemplateError as error:
            raise _explained(error, self.name, name) from error


def _environment(chain: Sequence[manifests.ThemeSource]) -> jinja2.Environment:
    for source in chain:
        _files_inside(source.theme_dir, "templates")
    folders = {
        one.name: jinja2.FileSystemLoader(one.theme_dir / "templates") for one in chain
    }
    environment = jinja2.Environment(
        loader=jinja2.ChoiceLoader([*folders.values(), jinja2.PrefixLoader(folders)]),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=printed,
        bytecode_cache=open_compiled(),
    )
    environment.code_generator_class = PrintingCode
    filters = cast("dict[str, object]", environment.filters)
    filters.update(
        changed=formats.changed,
        coloured=formats.coloured,
        count="{:,}".format,
        count_of=counted,
        duration=duration,
        moment=formats.format_moment,
        clock=formats.format_clock,
        first_words=partial(one_line, limit=90),
        tool_name=tool_name,
        visible=visible,
        style_digest=style_digest,
    )
    return environment


class PrintingCode(CodeGenerator):
    """Has what is printed escaped by `printed` alone: Jinja would do it once more."""

    def _output_child_pre(self, node: object, frame: object, finalize: object) -> None:  # noqa: ARG002  (as the class above has it)
        self.write("(environment.finalize(")


class CompiledTemplates(jinja2.FileSystemBytecodeCache):
    """Compiled templates of earlier runs; one that is damaged is compiled again."""

    def load_bytecode(self, bucket: Bucket) -> None:
        """Fill `bucket` from its file, if that can be read."""
        try:
            super().load_bytecode(bucket)
        except (OSError, EOFError, ValueError, UnpicklingError):
            bucket.reset()

    def dump_bytecode(self, bucket: Bucket) -> None:
        """Write the file of `bucket`; that it cannot be kept changes nothing."""
        with suppress(OSError):
            super().dump_bytecode(bucket)


def open_compiled() -> CompiledTemplates | None:
    """Return what keeps compiled templates; None where no folder can be believed.

    They are code, so nobody else may be able to write there. They save 0.3 s.
    """
    folder = made_private(default_cache_dir() / "templates")
    return CompiledTemplates(str(folder)) if folder else None


def printed(value: object) -> Markup:
    """Return what an expression of a template prints; markup was looked at when made.

    It is escaped here, so that no template can print markup by turning escaping off.
    """
    if type(value) is Markup:
        return value
    return escape(visible(value) if type(value) is str else value)


def _explained(error: jinja2.TemplateError, theme: str, asked: str) -> ThemeError:
    """Return `error`, met when `theme` drew the template `asked`, with a hint."""
    match error:
        case jinja2.TemplateSyntaxError():
            return ThemeError(
                f"template {error.name or asked!r} of theme {theme!r} is broken",
                hint=f"line {error.lineno}: {error.message}",
            )
        case jinja2.TemplateNotFound():
            user = f", which {asked!r} uses" if error.name != asked else ""
            return ThemeError(
                f"theme {theme!r} has no template {error.name!r}{user}",
                hint="a base's template is '<base>/<name>', as in 'default/base.html.j2'",
            )
        case jinja2.UndefinedError():
            return ThemeError(
                f"template {asked!r} of theme {theme!r} uses what is not there: {error}",
                hint=f"{_place(error)}; see render/view.py for what a page has",
            )
        case _:
            return ThemeError(
                f"template {asked!r} of theme {theme!r} failed: {error}", hint=_place(error)
            )


def _place(error: jinja2.TemplateError) -> str:
    """Return the template and line that `error` comes from, as far as Jinja tells."""
    frames = traceback.extract_tb(error.__traceback__)
    inside = [frame for frame in frames if frame.filename.endswith(".j2")]
    if not inside:
        return "the place is not known"
    return f"{inside[-1].filename.rsplit('templates/', 1)[-1]}, line {inside[-1].lineno}"


def _files_inside(theme_dir: Path, folder: str) -> list[Path]:
    """Return the files in `folder` of `theme_dir`, at any depth, sorted; may be none."""
    home = theme_dir.resolve()
    inside = sorted((theme_dir / folder).rglob("*"))
    for file in inside:
        if not file.resolve().is_relative_to(home):
            name = file.relative_to(theme_dir).as_posix()
            raise ThemeError(
                f"{name!r} of theme {theme_dir.name!r} leads out of the theme",
                hint="copy the file into the theme's folder instead of linking to it",
            )
    return [file for file in inside if file.is_file()]


def _load_asset(file: Path) -> Output:
    body = file.read_bytes()
    return Output(f"assets/{file.stem}.{digest_hex(body, size=6)}{file.suffix}", body)
