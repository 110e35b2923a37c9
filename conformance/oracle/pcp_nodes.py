"""Prints the prim indexes that OpenUSD (usd-core 26.11) builds for the cases of a folder: `nodes.txt` in each.

Usage: python pcp_nodes.py FOLDER...
Each case has root.usda and, if it needs them, variantFallbacks in case.json. Payloads are loaded; nothing below an instance is listed.
A prim is a line `PATH`, with `instance` and the kinds of its errors; then its nodes in the order of strength:
arc, layer and path; specs, inert, ancestor, direct; namespace depth, sibling number, places of parent and origin; the map to the root.
"""

import json
import os
import sys

from pxr import Pcp, Sdf

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


def dump(folder):
    root = Sdf.Layer.FindOrOpen(os.path.join(folder, "root.usda"))
    cache = Pcp.Cache(Pcp.LayerStackIdentifier(root), "", True)
    case = os.path.join(folder, "case.json")
    if os.path.exists(case):
        with open(case, encoding="utf-8") as file:
            cache.SetVariantFallbacks(json.load(file).get("variantFallbacks") or {})
    lines = []
    loaded = set()

    def visit(path):
        index, errors = cache.ComputePrimIndex(path)
        if index.hasAnyPayloads:
            loaded.add(path)
        kinds = sorted(type(error).__name__.removeprefix("Error") for error in errors)
        is_instance = index.IsInstanceable()
        if path != Sdf.Path.absoluteRootPath:
            lines.append(" ".join([str(path), *(["instance"] if is_instance else []), *kinds]))
            nodes = list(strength_order(index.rootNode))
            lines.extend(describe(nodes, node, folder) for node in nodes)
        if not is_instance:
            for name in index.ComputePrimChildNames()[0]:
                visit(path.AppendChild(name))

    # what a payload brings may have payloads, also for prims that come before
    known = -1
    while known != len(loaded):
        known = len(loaded)
        cache.RequestPayloads(list(loaded), [])
        lines.clear()
        visit(Sdf.Path.absoluteRootPath)
    with open(os.path.join(folder, "nodes.txt"), "w", encoding="utf-8") as file:
        file.write("\n".join(lines) + "\n")


for argument in sys.argv[1:]:
    dump(os.path.realpath(argument))
