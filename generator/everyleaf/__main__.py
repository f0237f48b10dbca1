"""`everyleaf`, and `python -m everyleaf`."""

import sys


def main() -> None:
    """Run the command line; one that is interrupted while it loads ends as quietly.

    The hook of `everyleaf keep` goes without it: a session waits for it to end.
    """
    if sys.argv[1:3] == ["keep", "--hook"]:
        from everyleaf.keep.hook import run_hook  # noqa: PLC0415  (loads what it needs)

        run_hook(sys.argv[3:])
        return
    try:
        from everyleaf.cli import main as run  # noqa: PLC0415  (it is what takes time)
    except KeyboardInterrupt:
        sys.stderr.write("interrupted; what was there before is still there\n")
        sys.exit(130)  # As `cli.command` ends it.
    run()


if __name__ == "__main__":
    main()
