"""Score a submission to Codabench; the log is on the host's own worker."""

import json
import os
import sys
from pathlib import Path

import numpy as np

import leaderboard_edu as le

source, target, log = map(Path, sys.argv[1:])
labels = np.loadtxt(source / "ref" / "labels.txt", ndmin=1)
board = le.BoardLog(
    log, labels, mechanism=lambda y: le.SimplifiedLadder(y, eta="1/100")
)
account = os.environ.get("ACCOUNT")
if not account:
    sys.exit(
        "Not scored: the worker does not say whose submission this is."
    )
try:
    predictions = np.loadtxt(source / "res" / "predictions.txt", ndmin=1)
    shown = board.submit(account, predictions)
except (OSError, ValueError) as error:
    sys.exit(f"Not scored: {error}")
(target / "scores.json").write_text(json.dumps({"loss": shown}))
