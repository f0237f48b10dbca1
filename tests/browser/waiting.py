"""Waiting for what a page does, not for a time: a busy machine takes longer."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from playwright.sync_api import Page


LONGEST_MS = 30_000
"""What takes longer never comes: a test fails then, instead of waiting for ever."""


def rest(page: Page) -> None:
    """Wait until nothing of a page has moved for twelve frames."""
    page.evaluate(
        """(longest) => new Promise((done, fail) => {
            setTimeout(fail, longest, new Error("a page that never rests"));
            let last, still = 0;
            const look = () => {
                const now = scrollY + " " + document.documentElement.scrollHeight;
                still = now === last ? still + 1 : 0;
                last = now;
                if (still < 12) requestAnimationFrame(look);
                else done();
            };
            look();
        })""",
        LONGEST_MS,
    )


def outlast(page: Page, milliseconds: int) -> None:
    """Wait until timers of a page that take less than this are over."""
    page.evaluate("(time) => new Promise((done) => setTimeout(done, time))", milliseconds)


def until(page: Page, condition: str) -> None:
    """Wait until what a page is asked is true; `wait_for_function` is for lax policies."""
    page.evaluate(
        """(longest) => new Promise((done, fail) => {
            setTimeout(() => fail(new Error("never so")), longest);
            const look = () => { if (CONDITION) done(); else requestAnimationFrame(look); };
            look();
        })""".replace("CONDITION", condition),
        LONGEST_MS,
    )


def place_of(page: Page) -> str:
    """Return where a page says that it is; what the browser is told of it comes later."""
    href: str = page.evaluate("location.href")
    return href
