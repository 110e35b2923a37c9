"""Prints the prim indexes that OpenUSD (usd-core 26.11) builds for the cases of a folder: `nodes.txt` in each.

Usage: python pcp_nodes.py FOLDER...
Each case has root.usda and, if it needs them, variantFallbacks in case.json. Payloads are loaded; nothing below an instance is listed.
A prim is a line `PATH`, with `instance` and the kinds of its errors; then its nodes in the order of strength:
arc, layer and path; specs, inert, ancestor, direct; namespace depth, sibling number, places of parent and origin; the map to the root.
"""

import json
import os
import sys

from pxr import Pcp, Sdf, Usd

ARCS = {
    Pcp.ArcTypeRoot: "root",
    Pcp.ArcTypeInherit: "inherit",
    Pcp.ArcTypeVariant: "variant",
    Pcp.ArcTypeReference: "reference",
    Pcp.ArcTypePayload: "payload",
    Pcp.ArcTypeSpecialize: "specialize",
    Pcp.ArcTypeRelocate: "relocate",
}


def number(value):
    return str(int(value)) if value == int(value) else repr(value)


def strength_order(node):
    # placeholders of specializes, which moved to the root
    if node.arcType == Pcp.ArcTypeSpecialize and node.isInert:
        return
    if not node.isCulled:
        yield node
    for child in node.children:
        yield from strength_order(child)


def describe(nodes, node, folder):
    def place(other):
        return next((str(i) for i, one in enumerate(nodes) if other and one == other), "-")

    layer = os.path.relpath(node.layerStack.identifier.rootLayer.realPath, folder)
    flags = [
        name
        for name, holds in (
            ("specs", node.hasSpecs),
            ("inert", node.isInert),
            ("ancestor", node.IsDueToAncestor()),
            ("direct", node.HasTransitiveDirectDependency()),
        )
        if holds
    ]
    function = node.mapToRoot.Evaluate()
    pairs = sorted(f"{source}:{target}" for source, target in function.sourceToTargetMap.items())
    offset = function.timeOffset
    time = "" if offset.IsIdentity() else f" {number(offset.offset)} {number(offset.scale)}"
    numbers = f"{node.namespaceDepth} {node.siblingNumAtOrigin} {place(node.parent)} {place(node.origin)}"
    return f"  {ARCS[node.arcType]} {layer} {node.path} [{' '.join(flags)}] {numbers} {','.join(pairs)}{time}"


def open_cache(folder, payloads):
    root = Sdf.Layer.FindOrOpen(os.path.join(folder, "root.usda"))
    cache = Pcp.Cache(Pcp.LayerStackIdentifier(root), "", True)
    case = os.path.join(folder, "case.json")
    if os.path.exists(case):
        with open(case, encoding="utf-8") as file:
            cache.SetVariantFallbacks(json.load(file).get("variantFallbacks") or {})
    cache.RequestPayloads(list(payloads), [])
    return cache


def print_nodes(folder, with_targets=False):
    stage = Usd.Stage.Open(os.path.join(folder, "root.usda")) if with_targets else None
    payloads = set()
    # what a payload brings may have payloads, also for prims that come before; errors are told once, so each pass starts anew
    while True:
        lines = []
        found = set()
        print_prims(open_cache(folder, payloads), Sdf.Path.absoluteRootPath, folder, stage, lines, found)
        if found <= payloads:
            return lines
        payloads |= found


def print_prims(cache, path, folder, stage, lines, payloads):
    index, errors = cache.ComputePrimIndex(path)
    if index.hasAnyPayloads:
        payloads.add(path)
    kinds = sorted(type(error).__name__.removeprefix("Error") for error in errors)
    is_instance = index.IsInstanceable()
    if path != Sdf.Path.absoluteRootPath:
        # relocates are checked where a layer stack is built
        own = [kind for kind in kinds if "Relocation" not in kind]
        lines.append(" ".join([str(path), *(["instance"] if is_instance else []), *own]))
        nodes = list(strength_order(index.rootNode))
        # payloads of prims that arcs lead through are asked for by the name that they would have on the stage
        payloads.update(target for node in nodes for target in node.mapToRoot.Evaluate().sourceToTargetMap.values() if target.IsPrimPath())
        lines.extend(describe(nodes, node, folder) for node in nodes)
        if stage:
            lines.extend(describe_targets(stage, path))
    if not is_instance:
        for name in index.ComputePrimChildNames()[0]:
            print_prims(cache, path.AppendChild(name), folder, stage, lines, payloads)


def describe_targets(stage, path):
    prim = stage.GetPrimAtPath(path)
    if not prim:
        return
    for relationship in prim.GetAuthoredRelationships():
        targets = " ".join(map(str, relationship.GetTargets()))
        yield f"  .{relationship.GetName()} {targets}"


if __name__ == "__main__":
    for argument in sys.argv[1:]:
        case = os.path.realpath(argument)
        with open(os.path.join(case, "nodes.txt"), "w", encoding="utf-8") as file:
            file.write("\n".join(print_nodes(case)) + "\n")
