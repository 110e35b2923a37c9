"""Makes small random scenes that are dense in arcs, with the prim indexes that OpenUSD (usd-core 26.11) builds for them.

Usage: python small_scenes.py --range 1:401 --out FILE
The file has a section `## SEED` for each scene: its layers, each after a line `--- NAME`, then the answer after `--- (answer)`, as pcp_nodes.py prints it,
with a line `.NAME TARGET...` for each relationship of a prim of the stage. Scenes that OpenUSD does not finish in three seconds are left out.
From seed 100000 on scenes have more relocates and classes.
"""

import argparse
import multiprocessing
import os
import random
import tempfile

from pcp_nodes import print_nodes

NAMES = ["A", "B", "C"]
ROOTS = ["P", "Q", "R"]
CLASSES = ["_c", "_d"]


class Scene:
    def __init__(self, seed):
        self.random = random.Random(seed)
        self.layers = {}
        self.is_moved = seed >= 100000
        names = ["root", "sub", "a", "b", "c"]
        for name in names:
            self.layers[f"{name}.usda"] = self.layer(name)

    def chance(self, share):
        return self.random.random() < share

    def layer(self, name):
        meta = []
        sublayers = {"root": "sub", "a": "c"}.get(name)
        if sublayers and self.chance(0.6):
            offset = " (offset = 5; scale = 2)" if self.chance(0.4) else ""
            meta.append(f"subLayers = [@./{sublayers}.usda@{offset}]")
        if self.chance(0.5):
            meta.append(f'defaultPrim = "{self.random.choice(ROOTS)}"')
        if self.chance(0.8 if self.is_moved else 0.35):
            pairs = {}
            for _ in range(self.random.randint(1, 2)):
                root = self.random.choice(ROOTS)
                source = f"/{root}/{self.random.choice(NAMES)}"
                if self.chance(0.3):
                    source += f"/{self.random.choice(NAMES)}"
                target = f"/{root}/{self.random.choice(NAMES + ['M', 'N'])}"
                pairs[source] = "" if self.chance(0.1) else target
            meta.append("relocates = { " + ", ".join(f"<{a}>: <{b}>" for a, b in pairs.items()) + " }")
        if self.chance(0.15):
            meta.append(f"timeCodesPerSecond = {self.random.choice([12, 48])}")
        body = []
        for prim in self.random.sample(ROOTS, self.random.randint(1, 2)):
            body.append(self.prim(prim, f"/{prim}", 0))
        for prim in self.random.sample(CLASSES, self.random.randint(1, 2) if self.is_moved else self.random.randint(0, 1)):
            body.append(self.prim(prim, f"/{prim}", 0, "class"))
        head = f"(\n{chr(10).join(meta)}\n)\n" if meta else ""
        return f"#usda 1.0\n{head}" + "\n".join(body) + "\n"

    def path(self):
        path = "/" + self.random.choice(ROOTS if self.chance(0.8) else CLASSES)
        while self.chance(0.3):
            path += "/" + self.random.choice(NAMES)
        return path

    def arcs(self, at, depth):
        meta = []
        operation = lambda: self.random.choice(["", "prepend ", "append ", "add ", "prepend "])
        share = 0.4 if depth == 0 else 0.2
        if self.chance(share):
            items = []
            for _ in range(self.random.choice([1, 1, 2])):
                target = f"@./{self.random.choice('abc')}.usda@" if self.chance(0.85) else ""
                if not target or self.chance(0.7):
                    target += f"<{self.path()}>"
                if self.chance(0.2):
                    target += " (offset = 3; scale = 0.5)"
                items.append(target)
            meta.append(f"{operation()}references = [{', '.join(items)}]")
        if self.chance(share / 3):
            meta.append(f"{operation()}payload = @./{self.random.choice('abc')}.usda@<{self.path()}>")
        if self.chance(share if self.is_moved else share / 1.5):
            parent = at.rsplit("/", 1)[0]
            target = f"/{self.random.choice(CLASSES)}" if self.chance(0.6) or not parent else f"{parent}/{self.random.choice(NAMES)}"
            meta.append(f"{operation()}inherits = <{target}>")
        if self.chance(share if self.is_moved else share / 2):
            target = f"/{self.random.choice(CLASSES)}" if self.chance(0.5) else self.path()
            meta.append(f"{operation()}specializes = <{target}>")
        if self.chance(0.1):
            meta.append(f"delete references = @./{self.random.choice('abc')}.usda@<{self.path()}>")
        if self.chance(0.12):
            meta.append("instanceable = true")
        return meta

    def prim(self, name, path, depth, kind=None, in_variant=False):
        kind = kind or self.random.choice(["def", "def", "over"])
        meta = self.arcs(path, depth)
        body = []
        if self.chance(0.15):
            variants = self.random.choice(["v", "w"])
            meta.append(f'{self.random.choice(["prepend", "add", "append"])} variantSets = "{variants}"')
            branches = []
            for variant in self.random.sample(["x", "y", "z"], 2):
                inner = self.arcs(path, depth + 1)
                if self.chance(0.2):
                    inner.append(f'variants = {{ string {self.random.choice("vw")} = "{self.random.choice("xy")}" }}')
                head = f" (\n{chr(10).join(inner)}\n)" if inner else ""
                content = self.children(path, depth + 1, True)
                branches.append(f'"{variant}"{head} {{\n{content}\n}}')
            body.append(f'variantSet "{variants}" = {{\n{chr(10).join(branches)}\n}}')
        if self.chance(0.2):
            meta.append(f'variants = {{ string {self.random.choice("vw")} = "{self.random.choice("xyz")}" }}')
        body.append(self.children(path, depth, in_variant))
        head = f" (\n{chr(10).join(meta)}\n)" if meta else ""
        return f'{kind} "{name}"{head} {{\n{chr(10).join(body)}\n}}'

    def children(self, path, depth, in_variant):
        lines = []
        if self.chance(0.3):
            lines.append(f"custom double {self.random.choice('xyz')}")
        if self.chance(0.3):
            targets = ", ".join(f"<{self.path()}{self.random.choice(['', '.x'])}>" for _ in range(self.random.randint(1, 2)))
            operation = self.random.choice(["", "prepend ", "append ", "delete ", "add "])
            lines.append(f"{operation}rel {self.random.choice('rs')} = [{targets}]")
        if depth < 2:
            names = self.random.sample(NAMES, self.random.choice([0, 0, 1, 1, 2]))
            if len(names) > 1 and self.chance(0.4):
                lines.append("reorder nameChildren = [" + ", ".join(f'"{name}"' for name in reversed(names)) + "]")
            lines.extend(self.prim(name, f"{path}/{name}", depth + 1, None, in_variant) for name in names)
        return "\n".join(lines)


def answer(seed, connection):
    scene = Scene(seed)
    with tempfile.TemporaryDirectory() as folder:
        for name, text in scene.layers.items():
            with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
                file.write(text)
        lines = print_nodes(os.path.realpath(folder), with_targets=True)
    layers = "".join(f"--- {name}\n{text}" for name, text in scene.layers.items())
    connection.send(f"## {seed}\n{layers}--- (answer)\n" + "\n".join(lines) + "\n")


parser = argparse.ArgumentParser(description=__doc__)
parser.add_argument("--range", required=True)
parser.add_argument("--out", required=True)
arguments = parser.parse_args()
first, last = map(int, arguments.range.split(":"))
context = multiprocessing.get_context("fork")
with open(arguments.out, "w", encoding="utf-8") as out:
    for seed in range(first, last):
        receiver, sender = context.Pipe(False)
        child = context.Process(target=answer, args=(seed, sender))
        child.start()
        if receiver.poll(3):
            try:
                out.write(receiver.recv())
            except EOFError:
                pass
        child.kill()
        child.join()
