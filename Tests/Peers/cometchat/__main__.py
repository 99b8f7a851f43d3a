"""`python Tests/Peers/cometchat`: see `--help`."""

import sys
from pathlib import Path

# Run as a folder, Python puts the folder itself on the path; the packages are beside it.
sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from cometchat.server import main  # noqa: E402

main()
