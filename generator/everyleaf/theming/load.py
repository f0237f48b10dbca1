"""A theme, loaded once a process: compiled templates, and static files by their content."""

from __future__ import annotations

from contextlib import contextmanager
from functools import lru_cache
from typing import TYPE_CHECKING, cast

from jinja2 import (
    BaseLoader,
    ChoiceLoader,
    Environment,
    FileSystemLoader,
    PrefixLoader,
    StrictUndefined,
    TemplateError,
)

from everyleaf.theming import formats
from everyleaf.theming.compiled import open_compiled
from everyleaf.theming.files import Asset, ThemeFiles, files_inside
from everyleaf.theming.headers import content_security_policy
from everyleaf.theming.locate import ThemeSource, find_theme_chain, find_theme_dir
from everyleaf.theming.manifest import ExtraPage, PageKind, ThemeManifest
from everyleaf.theming.printing import Printing, printed
from everyleaf.theming.trouble import explain

if TYPE_CHECKING:
    from collections.abc import Callable, Generator, Mapping, MutableMapping, Sequence
    from pathlib import Path

    from jinja2 import Template

TEMPLATE_SUFFIX = ".html.j2"


class Theme:
    """Templates and static files of one theme, and of those that it extends.

    Templates see `theme` (this), `csp`, `search_csp` (for a page that searches), and the
    filters of `theming.formats`. Whatever they print is escaped and made `visible`, and an
    undefined name is an error. A template of the theme stands for one of the same name in
    its base; `<base>/<name>` is the base's.
    """

    def __init__(self, theme_dir: Path) -> None:
        """Load the theme in `theme_dir`, whose name is the theme's.

        Raises:
            ThemeError: A manifest does not fit, a base or a file is not there, or a file
                lies outside its theme.
        """
        chain = find_theme_chain(theme_dir)
        self.name = chain[0].name
        self.manifest: ThemeManifest = chain[0].manifest
        self._files = ThemeFiles(chain)
        self._environment = _environment(chain)
        names = cast("MutableMapping[str, object]", self._environment.globals)
        names.update(theme=self, csp=content_security_policy())
        names["search_csp"] = content_security_policy(allows_wasm=True)
        self.pages: tuple[ExtraPage, ...] = _extra_pages(chain)
        """Pages that the theme adds, its base's first."""
        for page in self.pages:
            self.template(page.template)

    def asset_url(self, name: str) -> str:
        """Return the site-relative address of the static file `name`.

        Raises:
            ThemeError: The theme has no such file.
        """
        return self._files.asset(name).url

    def assets(self) -> list[Asset]:
        """Return all static files, sorted by address."""
        return self._files.all()

    @property
    def has_scripts(self) -> bool:
        """Return whether pages load scripts: else nothing that needs one is drawn."""
        return bool(self._files.loaded_by(None).scripts)

    def early_scripts(self) -> list[Asset]:
        """Return the scripts that run before the first paint of every page."""
        return [self._files.asset(name) for name in self._files.early_scripts()]

    def stylesheets(self, kind: PageKind | None) -> list[Asset]:
        """Return the style sheets of pages of `kind`, in the order to link them."""
        return [self._files.asset(name) for name in self._files.loaded_by(kind).stylesheets]

    def scripts(self, kind: PageKind | None) -> list[Asset]:
        """Return the deferred scripts of pages of `kind`, in order."""
        return [self._files.asset(name) for name in self._files.loaded_by(kind).scripts]

    def template(self, name: str) -> Template:
        """Return the compiled template `name`.

        Raises:
            ThemeError: There is none, or its syntax is wrong.
        """
        with self.explaining(name):
            return self._environment.get_template(name)

    def render(self, name: str, page: object) -> str:
        """Return the template `name` filled with the view `page`.

        Raises:
            ThemeError: The template is missing, broken, or uses a name that is not defined.
        """
        kind = _KINDS.get(name.removesuffix(TEMPLATE_SUFFIX))
        with self.explaining(name):
            return self._environment.get_template(name).render(page=page, kind=kind)

    def encode(self, name: str, page: object) -> bytes:
        """Return the template `name` filled with the view `page`, as UTF-8.

        A long page never stands in memory as text; half of a pair becomes a question mark.

        Raises:
            ThemeError: The template is missing, broken, or uses a name that is not defined.
        """
        kind = _KINDS.get(name.removesuffix(TEMPLATE_SUFFIX))
        with self.explaining(name):
            drawn = self._environment.get_template(name).generate(page=page, kind=kind)
            return b"".join(piece.encode("utf-8", "replace") for piece in drawn)

    def filler(self, name: str) -> Callable[[Mapping[str, object]], str]:
        """Return what fills the template `name` with values, for one that is drawn often.

        `Template.render` looks up every global name again for each call, through several
        maps; that takes longer than drawing a small turn.

        Raises:
            ThemeError: There is no such template, or its syntax is wrong.
        """
        template = self.template(name)
        known = dict(template.globals)

        def fill(values: Mapping[str, object]) -> str:
            context = template.new_context({**known, **values}, shared=True)
            try:
                return "".join(template.root_render_func(context))
            except TemplateError:
                # As `Template.render` does: the traceback names the template's lines.
                template.environment.handle_exception()

        return fill

    @contextmanager
    def explaining(self, name: str) -> Generator[None]:
        """Turn what goes wrong in the template `name` into a `ThemeError` with a hint."""
        try:
            yield
        except TemplateError as error:
            raise explain(error, self.name, name) from error


_KINDS = {kind.value: kind for kind in PageKind}


def _extra_pages(chain: Sequence[ThemeSource]) -> tuple[ExtraPage, ...]:
    """Return the pages of `chain`, the deepest base first; later ones replace."""
    by_url = {page.url: page for source in chain[::-1] for page in source.manifest.pages}
    return tuple(by_url.values())


@lru_cache(maxsize=8)
def load_theme(name: str) -> Theme:
    """Return the theme `name`, a built-in one's name or a folder, loaded once a process.

    Raises:
        ThemeError: There is no such theme, or it is broken.
    """
    return Theme(find_theme_dir(name))


def _loader(chain: Sequence[ThemeSource]) -> BaseLoader:
    for source in chain:
        files_inside(source.theme_dir, "templates")
    folders = {
        source.name: FileSystemLoader(source.theme_dir / "templates") for source in chain
    }
    return ChoiceLoader([*folders.values(), PrefixLoader(folders)])


def _environment(chain: Sequence[ThemeSource]) -> Environment:
    environment = Environment(
        loader=_loader(chain),
        autoescape=True,
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        auto_reload=False,
        finalize=printed,
        bytecode_cache=open_compiled(),
    )
    environment.code_generator_class = Printing
    filters = cast("dict[str, object]", environment.filters)
    filters.update(
        count=formats.format_count,
        count_of=formats.count_of,
        duration=formats.format_duration,
        moment=formats.format_moment,
        clock=formats.format_clock,
        first_words=formats.first_words,
        tool_name=formats.tool_name,
    )
    return environment
