"""What OpenUSD makes of stages: transforms, bounds, visibility, bound materials, primvars, physics.

usage: python usd_views.py TIME[,TIME...] < FILES > ANSWERS

Reads one path per line, writes one line of JSON per path: [path, answer] or [path, {"error": text}]. The format of an
answer is described in docs/conformance.md, "Views".
"""

import json
import math
import os
import sys

os.environ.setdefault("PXR_WORK_THREAD_LIMIT", "1")

from pxr import Gf, Sdf, Usd, UsdGeom, UsdPhysics, UsdShade

PURPOSES = [UsdGeom.Tokens.default_, UsdGeom.Tokens.render, UsdGeom.Tokens.proxy, UsdGeom.Tokens.guide]
BINDINGS = [UsdShade.Tokens.allPurpose, "preview", "full", "physics"]
AXES = "XYZ"
DOFS = ["distance", "transX", "transY", "transZ", "rotX", "rotY", "rotZ"]
# lists whose order says nothing
SETS = ("collisions", "collisionGroups")


def number(value):
    if math.isfinite(value):
        return value
    return "nan" if math.isnan(value) else "inf" if value > 0 else "-inf"


def numbers(values):
    return [number(float(value)) for value in values]


def matrix(value):
    return [number(value[i][j]) for i in range(4) for j in range(4)]


def box(bound):
    aligned = bound.ComputeAlignedRange()
    return None if aligned.IsEmpty() else numbers(list(aligned.GetMin()) + list(aligned.GetMax()))


def primvar(item):
    flat = item.ComputeFlattened()
    return {
        "attribute": str(item.GetAttr().GetPath()),
        "type": str(item.GetTypeName()),
        "interpolation": str(item.GetInterpolation()),
        "elementSize": item.GetElementSize(),
        "isIndexed": item.IsIndexed(),
        "count": len(flat) if item.GetTypeName().isArray and flat is not None else None,
    }


def encode(value):
    if value is None or isinstance(value, (bool, str)):
        return value
    if isinstance(value, int):
        return int(value)
    if isinstance(value, float):
        return number(value)
    if isinstance(value, Sdf.Path):
        return str(value)
    if isinstance(value, (Gf.Vec3f, Gf.Vec3d)):
        return numbers(value)
    if isinstance(value, (Gf.Quatf, Gf.Quatd)):
        return numbers(list(value.GetImaginary()) + [value.GetReal()])
    if hasattr(value, "__iter__"):
        return [encode(item) for item in value]
    if type(value).__name__.endswith(("Limit", "Drive", "DOF", "Pair", "Point")):
        return fields(value)
    return str(value)


def fields(value):
    names = (name for name in dir(value) if not name.startswith("_"))
    return {name: encode(getattr(value, name)) for name in names if not callable(getattr(value, name))}


def descriptor(kind, prim, value):
    out = fields(value)
    out.pop("type", None)
    correct(kind, prim, out)
    if "axis" in out:
        out["axis"] = AXES[out["axis"]]
    if kind == "SphericalJoint":
        limit = out["limit"]
        out["limit"] = {"enabled": limit["enabled"], "angle0": limit["lower"], "angle1": limit["upper"]}
    elif kind == "DistanceJoint":
        limit = out.pop("limit")
        out["minDistance"], out["maxDistance"] = limit["lower"], limit["upper"]
    elif kind == "D6Joint":
        out["limits"] = {DOFS[item["first"]]: item["second"] for item in out.pop("jointLimits")}
        out["drives"] = {DOFS[item["first"]]: item["second"] for item in out.pop("jointDrives")}
    for name in SETS:
        if name in out:
            out[name] = sorted(out[name])
    return out


def correct(kind, prim, out):
    """Puts two things right that are accidents of the parser in 26.11."""
    # a flag without a value is never set: what it holds differs from run to run
    if kind == "CollisionGroup" and not prim.GetAttribute("physics:invertFilteredGroups").HasAuthoredValue():
        out["invertFilteredGroups"] = False
    # a number that is authored in double precision is not read, although the attribute has it
    if kind == "RigidBodyMaterial":
        for name in ("staticFriction", "dynamicFriction", "restitution", "density"):
            authored = prim.GetAttribute("physics:" + name).Get()
            if isinstance(authored, float):
                out[name] = number(authored)


def answer(path, times):
    stage = Usd.Stage.Open(path)
    default = Usd.TimeCode.Default()
    transforms = [UsdGeom.XformCache(default)] + [UsdGeom.XformCache(Usd.TimeCode(time)) for time in times]
    usual = UsdGeom.BBoxCache(default, [UsdGeom.Tokens.default_])
    everything = UsdGeom.BBoxCache(default, PURPOSES, True, True)
    prims = {}
    for prim in Usd.PrimRange.Stage(stage, Usd.TraverseInstanceProxies()):
        entry = {}
        if prim.IsA(UsdGeom.Xformable):
            entry["world"] = [matrix(cache.GetLocalToWorldTransform(prim)) for cache in transforms]
        if prim.IsA(UsdGeom.Imageable):
            imageable = UsdGeom.Imageable(prim)
            binding = UsdShade.MaterialBindingAPI(prim)
            bound = [binding.ComputeBoundMaterial(purpose)[0] for purpose in BINDINGS]
            entry["visibility"] = str(imageable.ComputeVisibility())
            entry["purpose"] = str(imageable.ComputePurpose())
            entry["bound"] = box(usual.ComputeWorldBound(prim))
            entry["boundOfAll"] = box(everything.ComputeWorldBound(prim))
            entry["materials"] = [str(material.GetPath()) if material else "" for material in bound]
            inherited = UsdGeom.PrimvarsAPI(prim).FindPrimvarsWithInheritance()
            entry["primvars"] = {str(item.GetPrimvarName()): primvar(item) for item in inherited}
        prims[str(prim.GetPath())] = entry
    physics = {}
    for kind, (paths, descriptors) in UsdPhysics.LoadUsdPhysicsFromRange(stage, ["/"]).items():
        name = kind.name
        physics[name] = [
            [str(prim), descriptor(name, stage.GetPrimAtPath(prim), item)] for prim, item in zip(paths, descriptors)
        ]
    return {"version": 1, "times": times, "prims": prims, "physics": physics}


def main():
    times = [float(time) for time in sys.argv[1].split(",")]
    for line in sys.stdin:
        path = line.rstrip("\n")
        try:
            result = answer(path, times)
        except Exception as error:
            result = {"error": str(error)}
        sys.stdout.write(json.dumps([path, result]) + "\n")
        sys.stdout.flush()


main()
