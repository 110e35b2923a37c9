import shutil

import manyworlds
import pytest


def test_findings_have_codes_places_and_sentences(robots):
    report = manyworlds.check(robots / "heron" / "heron.usda")
    assert len(report) == 19 and len(report.errors) == 1 and len(report.warnings) == 15
    error = report.errors[0]
    assert error.code == "R1.2.1.9" and error.place.file.endswith("heron.usda") and error.place.line > 1
    assert str(error).endswith(error.message) and error.code in str(error)
    assert error.data["severity"] == "error" and repr(report) == "<Report: 1 errors, 15 warnings, 19 in all>"


def test_a_clean_robot_has_no_errors_and_options_pass_through(robots):
    assert manyworlds.check(robots / "egret" / "egret.usda").errors == []
    only = manyworlds.check(robots / "heron" / "heron.usda", select="R1.2.1.9")
    assert {finding.code for finding in only} == {"R1.2.1.9"}


def test_fixing_writes_a_copy_with_fewer_findings(robots, tmp_path):
    fixed = manyworlds.fix(robots / "heron" / "heron.usda", tmp_path / "out", unsafe=True, identifier="heron")
    assert len(fixed.edits) > 10
    assert not manyworlds.check(tmp_path / "out" / "heron.usda").errors
    assert len(manyworlds.check(robots / "heron" / "heron.usda")) == 19


def test_fixing_in_place_changes_the_file(robots, tmp_path):
    copy = shutil.copytree(robots / "heron", tmp_path / "heron") / "heron.usda"
    before = copy.read_text()
    manyworlds.fix(copy)
    assert copy.read_text() != before


def test_conversions_tell_what_became_of_every_part(robots, tmp_path):
    done = manyworlds.convert(robots / "crane" / "crane.xml", tmp_path / "crane.urdf")
    assert (tmp_path / "crane.urdf").read_text().startswith("<?xml")
    assert len(done.items) > len(done.losses) > 0
    assert {"exported"} < {item["outcome"] for item in done.items}
    again = manyworlds.convert(tmp_path / "crane.urdf", tmp_path / "crane.glb")
    assert (tmp_path / "crane.glb").read_bytes()[:4] == b"glTF" and again.items


def test_what_cannot_be_used_raises_with_the_findings(tmp_path):
    broken = tmp_path / "broken.urdf"
    broken.write_text("<robot>")
    for call in (
        lambda: manyworlds.check(tmp_path / "nothing.usda"),
        lambda: manyworlds.convert(tmp_path / "nothing.usda", tmp_path / "out.urdf"),
        lambda: manyworlds.open(tmp_path / "nothing.usda"),
        lambda: manyworlds.Simulation(tmp_path / "nothing.usda"),
    ):
        with pytest.raises(manyworlds.AssetError) as caught:
            call()
        assert "nothing.usda" in str(caught.value)
        assert isinstance(caught.value.report, manyworlds.Report)
    assert not (tmp_path / "out.urdf").exists()


def test_wrong_options_are_usage_errors(robots):
    with pytest.raises(manyworlds.UsageError, match="no-such-thing"):
        manyworlds.check(robots / "heron" / "heron.usda", no_such_thing=True)


def test_an_asset_does_all_of_it(robots, tmp_path):
    assert not manyworlds.open(robots / "egret" / "egret.usda").check().errors
    asset = manyworlds.open(robots / "crane" / "crane.xml")
    asset.convert(tmp_path / "crane.sdf")
    with asset.simulate() as simulation:
        simulation.step()
        assert simulation.time == pytest.approx(0.002)
