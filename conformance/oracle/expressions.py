"""Prints random variable expressions with the values and errors of OpenUSD (usd-core 26.11) as JSON lines: `[expression, value, errors]`.

Usage: python expressions.py --seed 1 --count 400 --out FILE
The variables are those of `packages/usd/test/pcp-expression-table.test.ts`. Integers are written as text, so that 64 bits stay.
"""

import argparse
import json
import random

from pxr import Sdf, Vt

VARIABLES = {
    "S": "x",
    "T": "abc",
    "N": 3,
    "M": -2,
    "B": True,
    "C": False,
    "L": Vt.StringArray(["p", "q", "x"]),
    "I": Vt.Int64Array([1, 3, 5]),
    "F": Vt.BoolArray([True, False]),
    "E": "`${S}`",
    "D": "`if(${B}, ${T}, 'no')`",
}
FUNCTIONS = ["eq", "neq", "lt", "leq", "gt", "geq", "and", "or", "not", "if", "contains", "at", "len", "defined", "nothing"]


class Maker:
    def __init__(self, seed):
        self.random = random.Random(seed)

    def leaf(self):
        pick = self.random.random()
        if pick < 0.55:
            return "${" + self.random.choice([*VARIABLES, *VARIABLES, "X"]) + "}"
        if pick < 0.7:
            return self.random.choice(["'x'", '"abc"', '"${S}_${T}"', "'${X}y'", '"a\\"b"', "''", "'p'", "\"\\${S}\""])
        if pick < 0.82:
            return self.random.choice(["0", "1", "-1", "3", "5", "9223372036854775807", "9223372036854775808", "-2", "007"])
        if pick < 0.9:
            return self.random.choice(["True", "true", "False", "false", "None", "none"])
        return self.random.choice(["[]", "[1, 3]", "['p', 'q']", "[True]", "[1, 'a']", "[${N}, 4]", "['${S}']", "[None]", "[[1]]"])

    def expression(self, depth):
        if depth == 0 or self.random.random() < 0.25:
            return self.leaf()
        name = self.random.choice(FUNCTIONS)
        if name == "defined":
            arguments = self.random.sample(['"S"', '"N"', '"X"', "'L'"], self.random.randint(0, 2))
        else:
            usual = {"not": 1, "len": 1, "if": 3}.get(name, 2)
            count = usual if self.random.random() < 0.85 else self.random.randint(0, 4)
            arguments = [self.expression(depth - 1) for _ in range(count)]
        gap = self.random.choice([", ", ",", " , "])
        return f"{name}({gap.join(arguments)})"

    def whole(self):
        text = self.expression(self.random.choice([0, 1, 1, 2, 2, 3]))
        if self.random.random() < 0.06:
            at = self.random.randrange(len(text) + 1)
            text = text[:at] + self.random.choice(["", ")", "(", "'", " ", "$", "`", "]", ","]) + text[at + 1 :]
        return f"`{text}`"


def plain(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return {"int": str(value)}
    # an empty list has a type of its own, without items
    return [plain(item) for item in value] if hasattr(value, "__iter__") else []


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--seed", type=int, required=True)
parser.add_argument("--count", type=int, required=True)
parser.add_argument("--out", required=True)
options = parser.parse_args()
maker = Maker(options.seed)
seen = set()
with open(options.out, "w", encoding="utf-8") as out:
    while len(seen) < options.count:
        text = maker.whole()
        if text in seen:
            continue
        seen.add(text)
        result = Sdf.VariableExpression(text).Evaluate(VARIABLES)
        value = plain(result.value)
        out.write(json.dumps([text, value, list(result.errors)]) + "\n")
