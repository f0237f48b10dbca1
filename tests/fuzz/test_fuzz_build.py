"""Whatever a session holds: no traceback, no hang, no script, no file elsewhere.

Small by default. `EVERYLEAF_FUZZ_EXAMPLES=5000` draws that many of each kind.
"""

from __future__ import annotations

import json
import os

import pytest
from hypothesis import HealthCheck, given, settings, strategies as st

from fuzz.checked import check_build
from fuzz.hostile import ATTACKS, EXAMPLES, damaged_files, file_names, sessions, values

EXAMPLES_DRAWN = int(os.environ.get("EVERYLEAF_FUZZ_EXAMPLES", "12"))

hostile = settings(
    max_examples=EXAMPLES_DRAWN,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
# What failed is printed whole, however long it is.
pytestmark = pytest.mark.filterwarnings("ignore:Generating overly large repr")

NAME = "0f6c1f0e-3a57-4be6-a2fb-5d1f9ad0a001"


@hostile
@given(sessions())
def test_hostile_values_anywhere_in_real_records_build_a_harmless_site(body):
    check_build({f"{NAME}.jsonl": body})


@hostile
@given(damaged_files())
def test_damaged_files_build_a_harmless_site(body):
    check_build({f"{NAME}.jsonl": body})


@hostile
@given(st.lists(values(), min_size=1, max_size=6))
def test_records_of_any_shape_build_a_harmless_site(records):
    body = b"\n".join(json.dumps(record).encode() for record in records)

    check_build({f"{NAME}.jsonl": body})


@hostile
@given(st.binary(max_size=300))
def test_any_bytes_build_a_harmless_site(body):
    check_build({f"{NAME}.jsonl": body})


@hostile
@given(file_names(), file_names(), sessions())
def test_hostile_names_of_files_write_nothing_elsewhere(name, agent, body):
    check_build(
        {
            f"{name}.jsonl": body,
            f"agent-{agent}.jsonl": body,
            f"{NAME}/subagents/agent-{agent}.jsonl": body,
        }
    )


def test_an_agent_that_ends_with_notes_of_no_conversation_is_shown():
    said = {"type": "user", "uuid": "a" * 8, "message": {"role": "user", "content": "Hi"}}
    noted = {"type": "system", "uuid": "b" * 8, "parentUuid": None, "subtype": "x"}
    records = [{**said, "parentUuid": None}, noted]
    body = b"\n".join(json.dumps(record).encode() for record in records)

    check_build({f"{NAME}/subagents/agent-1.jsonl": body})


def test_every_attack_in_every_text_of_a_session_builds_a_harmless_site():
    for attack in ATTACKS:
        records = [_attacked(record, attack) for record in EXAMPLES[0][:6]]
        check_build({f"{NAME}.jsonl": b"\n".join(json.dumps(r).encode() for r in records)})


def _attacked(value: object, attack: str, key: str = "") -> object:
    """Return `value` with `attack` for every text that is no id, type or time."""
    if isinstance(value, dict):
        return {name: _attacked(inner, attack, name) for name, inner in value.items()}
    if isinstance(value, list):
        return [_attacked(inner, attack, key) for inner in value]
    is_structure = key in {"type", "role", "uuid", "parentUuid", "timestamp", "id"}
    return attack if isinstance(value, str) and not is_structure else value
