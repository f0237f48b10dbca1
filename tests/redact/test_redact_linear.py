"""No text makes the search for secrets take more than linear time."""

from __future__ import annotations

import importlib
import pkgutil
import signal
from itertools import product
from time import process_time

import pytest

import everyleaf
from everyleaf.redact.talk import iter_talked
from everyleaf.sources.lines import names

SIZE = 100_000
SOON_S = 5
"""Of the processor: what takes less is not looked at further."""
MOST_TIMES = 9
"""What four times the text may take: four times as long if linear, sixteen if quadratic.

A slow machine under coverage changes both times alike.
"""

WORST = names(
    """
    ' '' " "" \\ \\\\ \\' \\n \\xe2 %41 =3D =C3=A4 x=⏎ a\\⏎ &#1 &amp; < <b <b></b> <br> </
    ` * a* ~ │ a│⏎ | - + -- // $ ^ 1 1→ a:1: a/b-1- [a] ⇥ ⏎ \x1b[ \u200b a\x08 a= KEY=
    password= password: password⏎ pass: --password "--a", "a", "a",⏎ "a␣b",⏎ passwords:⏎-␣
    passwords:⏎␣␣-␣abcd⏎ tokens␣=␣[ tokens=["abcdefgh1234", recovery␣codes⏎
    recovery␣codes:⏎abcd-1234⏎ data:⏎kind:␣Secret⏎ { ( a( a. A1b2 AKIAABCDEFGH sk-
    sk-ant-a eyJhb. -----BEGIN␣PRIVATE␣KEY-----⏎
    +AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA⏎ 00000010:␣4142␣AB⏎ 00:00:00 a@b. ://a:
    curl␣-u␣ echo␣a␣|␣ ␣/␣a a␣/␣b⏎ AUTH␣a␣ set␣value=' key␣is␣ cat␣secret⏎ name⇥password⇥
    |␣password␣|⏎|--|⏎ a,password⏎ In␣[1]:␣ b' x''y пароль␣ QUJD YWJjZGVmYWJjZGVmYWJjZGVm⏎
    <-␣password unseal␣key␣1:␣ pass␣abcd␣efgh␣ijkl␣ insert␣into␣(a, insert␣(password, aA
    https://hooks/a/ def␣password():⏎ creds=('a', credentials:⏎a⏎ password␣is␣now␣ mdp␣
    btoa("a: [users]⏎a= wachtwoord␣ new␣key␣ recovery␣code␣ seed␣= abcd1234efgh5678␣is␣my␣
    YWJjZGVmYWJjZGVm\\n with␣pass␣ set␣pass␣to␣ here's␣key⏎ service␣key␣ my␣token?␣ auth:␣"a
    password␣for␣a␣ the␣pw␣is␣ password␣a1b2c3d4 token␣is␣ login␣bob␣
    a␣as␣password␣ password⏎⏎ x'␣//␣secret␣ session=A1b2
    "a@b.cd", .basic('a', hmac.new([]byte( "token":{"a": password␣[
    login␣-u␣a␣-p␣ a␣-p␣A1b2c3d4␣ login␣a1b2␣
    config␣a␣b␣ ␣--token␣ a:bcdefgh@c. <<<␣a1b2c3d4
    connect("a",␣ users={"a":"A1b2c3d4", hash("A1b2c3d4",
    "a"␣"A1b2c3d4"⏎ insert␣into␣a␣(password)␣values␣('a'), insert␣into␣a(password)values('
    create␣table␣a␣(password, "a,password",[("a", <tr><th>password</th> |␣password␣|⏎|␣a␣|⏎
    "a"␣"A1b2c3d4"⏎ pin␣is␣1234␣ 1234␣is␣the␣pin␣ recovery␣code␣abcd␣ backup␣codes:␣abcd-1,
    password␣is␣silver␣pirate␣lemon␣ a␣/␣b␣to␣log␣in␣
    login␣otter-melon-dusk-fern␣ pass␣fern-
    """
)
"""What patterns begin with, over and over: `⏎` ends a line, `⇥` is a tab, `␣` a blank."""


class Chat:
    """Looks through a text as through a message of a chat."""

    @staticmethod
    def find(text):
        return [*iter_talked(text, {})]


def seconds(detector, before, unit, size):
    text = before + unit * (size // len(unit.encode()))
    began = process_time()
    detector.find(text)
    return process_time() - began


def is_linear(detector, before, unit):
    took = seconds(detector, before, unit, SIZE)
    return took < SOON_S or took < MOST_TIMES * seconds(detector, before, unit, SIZE // 4)


@pytest.mark.parametrize(
    "unit",
    [
        "password a1b2c3d4 é ",
        "pin 1234 ",
        "key ",
        "password",
        "password is a b c ",
        "a(b",
        "`",
    ],
)
def test_a_message_takes_linear_time_whatever_it_repeats(unit):
    assert is_linear(Chat, "password ", unit)


@pytest.mark.parametrize("before", ["", "password: x ", "secret key\n"])
def test_a_text_takes_linear_time_whatever_it_repeats(before, detector):
    slow = []

    for worst in sorted(WORST):
        unit = worst.replace("⏎", "\n").replace("⇥", "\t").replace("␣", " ")
        if not is_linear(detector, before, unit):
            slow.append(worst)

    assert not slow


@pytest.mark.parametrize(
    ("before", "unit"),
    [
        ('["user", "password"', " "),
        ('("user", "password")', " "),
        ('("user", "password") a:', " "),
        ("insert into a (password) values (", " "),
        ("insert into a (password) values ('a'", " "),
        ("<th>password</th><td>", " "),
        ("<th>password</th><td>a", " "),
        ("recovery codes: ", "abcd-"),
        ("passwords:\n- ", " "),
        ("password: ", "\\"),
    ],
)
def test_rows_take_linear_time_whatever_follows_their_columns(before, unit, detector):
    assert is_linear(detector, before, unit)


UNITS = [
    "".join(unit) for size in (1, 2) for unit in product('0aA-_./=:( "*x', repeat=size)
]
LONG_RUN = 64
MOST_S = 20
"""For one pattern, which takes a hundredth of that: what backtracks never ends."""


def iter_patterns():
    for module in pkgutil.walk_packages(everyleaf.__path__, "everyleaf."):
        if not module.name.endswith("__main__"):
            held = vars(importlib.import_module(module.name))
            yield from (
                (f"{module.name}.{name}", one)
                for name, one in held.items()
                if callable(getattr(one, "fullmatch", None)) and hasattr(one, "groupindex")
            )


def stop(*_):
    raise TimeoutError


def test_no_pattern_of_the_program_backtracks_without_end():
    patterns = dict(iter_patterns())
    before = signal.signal(signal.SIGALRM, stop)
    endless = []
    assert len(patterns) > 300

    for name, pattern in patterns.items():
        signal.setitimer(signal.ITIMER_REAL, MOST_S)
        try:
            for unit in UNITS:
                run = (unit * LONG_RUN)[:LONG_RUN] + "\x01"
                pattern.fullmatch(
                    run.encode() if isinstance(pattern.pattern, bytes) else run
                )
        except TimeoutError:
            endless.append(name)
        finally:
            signal.setitimer(signal.ITIMER_REAL, 0)
    signal.signal(signal.SIGALRM, before)

    assert len(patterns) > 300
    assert not endless
