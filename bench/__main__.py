"""`make bench`: measures every performance claim; see run.py."""

from bench.run import main

if __name__ == "__main__":
    main()
