"""`python -m everyleaf`."""

from everyleaf.cli import main

if __name__ == "__main__":
    main()
