"""What an expression of a template prints."""

from __future__ import annotations

import pytest
from jinja2 import Environment, StrictUndefined, UndefinedError
from markupsafe import Markup

from everyleaf.theming.theme import PrintingCode, printed


def opened() -> Environment:
    environment = Environment(autoescape=True, undefined=StrictUndefined, finalize=printed)
    environment.code_generator_class = PrintingCode
    return environment


def filled(template: str, **values: object) -> str:
    return opened().from_string(template).render(**values)


@pytest.mark.parametrize(
    ("value", "shown"),
    [
        ("<b> & 'c'", "&lt;b&gt; &amp; &#39;c&#39;"),
        (Markup("<b>&amp;</b>"), "<b>&amp;</b>"),
        ("a\x1b\u202eb", "a[U+202E]b"),
        (1234, "1234"),
        (["<i>"], "[&#39;&lt;i&gt;&#39;]"),
    ],
    ids=["text", "markup", "invisible", "number", "list"],
)
def test_what_is_printed_is_escaped_once_and_visible(value: object, shown: str):
    assert filled("{{ value }}", value=value) == shown
    assert filled("{% set it %}{{ value }}{% endset %}{{ it }}", value=value) == shown
    assert (
        filled("{% macro m(x) %}{{ x }}{% endmacro %}{{ m(value) }}", value=value) == shown
    )


@pytest.mark.parametrize("block", ["autoescape false", "autoescape switch"])
def test_no_template_can_print_markup_by_turning_escaping_off(block: str):
    template = f"{{% {block} %}}{{{{ value }}}}{{% endautoescape %}}"

    assert filled(template, value="<script>", switch=False) == "&lt;script&gt;"


def test_constants_are_escaped_too():
    assert filled("{{ '<b>' }}{{ 1 }}") == "&lt;b&gt;1"


def test_a_name_that_is_not_defined_is_an_error():
    with pytest.raises(UndefinedError):
        filled("{{ nobody }}")


def test_what_was_escaped_when_it_was_printed_is_not_escaped_again():
    code = opened().compile("{{ value }}{% set it %}{{ value }}{% endset %}", raw=True)

    assert code.count("finalize(") == 2
    assert "escape(" not in code
