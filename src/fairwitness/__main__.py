"""Lets `python -m fairwitness` do what `fairwitness` does."""

from fairwitness.cli import main

if __name__ == "__main__":
    main()
