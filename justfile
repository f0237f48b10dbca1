# Files with parts that the program writes: help texts, output, tables.
shown := "generator/everyleaf/manual/*.md generator/everyleaf/manual/commands/*.md"

# Everything CI runs, in the order it runs it. Without just: uv tool run --from rust-just just
default: lint types size test

lint:
    uv run ruff format --check .
    uv run ruff check .
    uv run lint-imports
    uv run codespell
    uv run validate-pyproject pyproject.toml
    uv run check-jsonschema --builtin-schema vendor.github-actions examples/github-action/action.yml
    uv run cog --check {{ shown }}

types:
    uv run mypy
    uv run pyright

# Lines and modules by package; fails where there are more than there may be.
size:
    PYTHONPATH=tests uv run python -m bench.size

test *args:
    uv run pytest {{ args }}

# The tests of one module in under ten seconds, the nearest first.
near file *args:
    uv run pytest -n 0 -p no:randomly --within 7 -m 'not (long or fuzz or browser)' $(uv run python tests/near.py {{ file }}) {{ args }}

# Every test on every core, and the coverage that must be reached.
coverage *args:
    uv run pytest --all --cov --cov-report=term {{ args }}

# Holds what is built and printed now, and says what changed: for a change of bytes on purpose.
golden *args:
    uv run pytest tests/golden --update-golden {{ args }}
    git diff --stat tests/golden

# Trajectories against Harbor's own models: 270 MB, for this run alone; no Python is fetched for it.
atif *args:
    @uv python find --no-python-downloads '>=3.12' > /dev/null 2>&1 || { echo "Harbor needs Python 3.12 or newer: install one, or let uv do it (uv python install 3.12)" >&2; exit 1; }
    uv run --isolated --no-python-downloads --python '>=3.12' --with 'harbor>=0.24,<0.25' pytest tests/export -k trajectory -n 0 {{ args }}

# For an hour rather than a minute: examples of each kind, every attack in a browser.
fuzz *args:
    EVERYLEAF_FUZZ_EXAMPLES=2000 EVERYLEAF_FUZZ_LIMIT_S=1 EVERYLEAF_FUZZ_BROWSER_EVERY=1 uv run pytest tests/fuzz {{ args }}

# Help texts, output and tables in the manual; a page for a new command.
readme:
    uv run python generator/manual_shown.py
    uv run cog -r {{ shown }}

# Builds what is released, checks it as a user gets it, says what is left to do by hand.
release *pythons:
    .ci/release {{ pythons }}

# The manual as pages, drawn by the program itself: build/manual.
manual:
    uv run python generator/manual_site.py build/manual

# The picture of the README, of the example archive.
screenshots:
    PYTHONPATH=tests uv run python -m screenshots

wheel:
    uv build --out-dir dist
    uv run --isolated --no-project --with dist/*.whl everyleaf --help

# Builds of the standard archives, cold and again; the plot goes to build/bench/growth.svg.
bench *args:
    PYTHONPATH=tests uv run python -m bench.standard {{ args }}

# The same beside two other tools, which are installed for the run alone.
bench-peers *args:
    PYTHONPATH=tests uv run python -m bench.peers {{ args }}

# Every goal in one run: the table of the manual. Half an hour, and nothing else beside it.
bench-goals *args:
    PYTHONPATH=tests uv run python -m bench.goals {{ args }}

# One session with many forks: time, memory, size of the site; --growth for four sizes.
bench-forks *args:
    PYTHONPATH=tests uv run python -m bench.forked_file {{ args }}

# One session of 1 GB, nearly all of it progress records: memory.
bench-progress *args:
    PYTHONPATH=tests uv run python -m bench.progress_file {{ args }}

bench-graph *args:
    PYTHONPATH=tests uv run python -m bench.graph_growth {{ args }}
