"""Whether assets have the same physics in OpenUSD before and after a fix.

usage: python rep158_compare.py FOLDER_OF_REP_PHYSICS_DUMP TOLERANCE < PAIRS > ANSWERS

Reads one line of JSON per pair: {"before", "after", "moved": {"/old": "/new"}}; writes one line of JSON for each: a list of
differences, empty when there are none, or {"error": text}.
"""

import json
import os
import sys

os.environ.setdefault("PXR_WORK_THREAD_LIMIT", "1")
sys.path.insert(0, sys.argv[1])

import rep_physics_dump as physics


def compare(before, after, moved, tolerance):
    # a prim and what is below it
    renames = [(f'"{old}{end}', f'"{new}{end}') for old, new in moved.items() for end in '"/']
    was, now = (physics.dump(path) for path in (before, after))
    return list(physics.differences(physics.by_path(was, renames), physics.by_path(now, []), tolerance))


for line in sys.stdin:
    pair = json.loads(line)
    try:
        answer = compare(pair["before"], pair["after"], pair["moved"], float(sys.argv[2]))
    except Exception as error:
        answer = {"error": str(error).strip().splitlines()[-1]}
    print(json.dumps(answer), flush=True)
