import numpy as np
import manyworlds
import pytest


@pytest.fixture
def crane(robots):
    with manyworlds.Simulation(robots / "crane" / "crane.xml", worlds=4) as simulation:
        yield simulation


def test_arrays_have_shapes_names_and_meaning(crane):
    assert crane.world_count == 4 and crane.format == "mjcf" and crane.dt == 0.002 and crane.engine == "wasm"
    assert [name.split("/")[-1] for name in crane.body_names] == ["upper", "lower"]
    assert [name.split("/")[-1] for name in crane.joint_names] == ["shoulder", "elbow"]
    assert crane.keyframes == ["bent"] and not crane.report.errors
    assert crane.body_poses.shape == (4, 2, 7) and crane.body_velocities.shape == (4, 2, 6)
    assert crane.joint_positions.shape == (4, 2) and crane.joint_positions.dtype == np.float64
    assert crane.body("lower") == 1 and crane.coordinate("elbow") == 1 and crane.dof("elbow") == 1
    np.testing.assert_allclose(np.linalg.norm(crane.body_poses[..., 3:], axis=-1), 1, atol=1e-12)


def test_targets_by_name_move_the_robot(crane):
    crane.set_targets({"shoulder": 0.6})
    crane.step(1500)
    assert crane.time == pytest.approx(3)
    # a spring of 40 N·m/rad against gravity: near the target, in all worlds alike but for the rounding of their places
    positions = crane.joint_positions[:, crane.coordinate("shoulder")]
    assert abs(positions[0] - 0.6) < 0.3
    np.testing.assert_allclose(positions, positions[0], rtol=0, atol=1e-12)
    crane.set_targets({"shoulder": -0.6}, world=2)
    crane.step(1500)
    assert crane.joint_positions[2, 0] < 0 < crane.joint_positions[1, 0]


def test_worlds_at_one_place_have_the_same_bits(robots):
    with manyworlds.Simulation(robots / "crane" / "crane.xml", worlds=5, spacing=[0, 0, 0]) as simulation:
        simulation.set_targets({"shoulder": 0.6})
        simulation.step(500)
        positions = simulation.joint_positions
        assert positions[0, 0] > 0.1 and (positions == positions[0]).all()


def test_arrays_are_written_by_assignment_and_with_a_step(crane):
    positions = crane.joint_positions
    positions[:] = 0.1
    assert (crane.joint_positions == 0).all(), "arrays are copies"
    efforts = np.array([[0, 1], [0, 2], [0, 3], [0, 4.0]])
    crane.joint_efforts = efforts
    np.testing.assert_array_equal(crane.joint_efforts, efforts)
    crane.joint_efforts = 5
    assert (crane.joint_efforts == 5).all()
    found = crane.step(10, read=["joint_velocities", "body_poses"], joint_efforts=efforts)
    assert set(found) == {"joint_velocities", "body_poses"}
    np.testing.assert_array_equal(found["joint_velocities"], crane.joint_velocities)
    assert (np.diff(found["joint_velocities"][:, 1]) > 0).all(), "a larger torque, a larger velocity"


def test_resets_take_worlds(crane):
    crane.set_targets({"shoulder": 0.5})
    start = crane.joint_positions
    crane.step(50)
    moved = crane.joint_positions
    crane.reset([False, True, False, True])
    now = crane.joint_positions
    np.testing.assert_array_equal(now[[0, 2]], moved[[0, 2]])
    np.testing.assert_array_equal(now[[1, 3]], start[[1, 3]])
    crane.reset()
    np.testing.assert_array_equal(crane.joint_positions, start)


def test_same_run_same_bits_whatever_the_threads(robots):
    def run(**options):
        with manyworlds.Simulation(robots / "fox" / "fox.xml", worlds=6, keyframe="standing", **options) as simulation:
            simulation.step(100)
            return simulation.hash()

    assert run(threads=1) == run(threads=1) == run(threads=2)
    assert run(solver="mujoco") != run()


def test_contact_forces_hold_the_weight(robots):
    with manyworlds.Simulation(robots / "fox" / "fox.xml", keyframe="standing", tells_contacts=True) as fox:
        fox.step(500)
        up = fox.body_contact_forces[0, :, 2].sum()
        # 5 kg of trunk, 0.3 of head, four legs of 1 kg
        assert up == pytest.approx(9.3 * 9.81, rel=0.02)
        assert not fox.failures and not fox.findings.errors


def test_gains_are_set(crane):
    crane.set_gains({"elbow": {"stiffness": 200, "damping": 20}})
    with pytest.raises(manyworlds.UsageError, match="unknown joint 'knee'"):
        crane.set_gains({"knee": {"stiffness": 1}})


def test_wrong_use_is_told_and_the_simulation_goes_on(crane):
    with pytest.raises(manyworlds.UsageError, match="unknown joint 'knee'"):
        crane.set_targets({"knee": 1})
    with pytest.raises(manyworlds.UsageError, match=r"has the shape \(3,\), expected \(4, 2\)"):
        crane.joint_targets = np.zeros(3)
    with pytest.raises(manyworlds.UsageError, match="unknown array 'colours'"):
        crane.read("colours")
    with pytest.raises(manyworlds.UsageError, match="steps is 0"):
        crane.step(0)
    with pytest.raises(AttributeError):
        crane.colours
    crane.step()
    assert crane.time == pytest.approx(0.002)


def test_a_closed_simulation_says_so(robots):
    simulation = manyworlds.Simulation(robots / "crane" / "crane.xml")
    simulation.close()
    simulation.close()
    with pytest.raises(manyworlds.UsageError, match="was closed"):
        simulation.step()


def test_a_process_that_is_killed_raises(robots):
    simulation = manyworlds.Simulation(robots / "crane" / "crane.xml")
    simulation._host._process.kill()
    with pytest.raises(manyworlds.ManyworldsError, match="ended with status"):
        simulation.step()
    simulation.close()


def test_scenes_run_too(scenes):
    with pytest.raises(manyworlds.AssetError, match="outside"):
        manyworlds.Simulation(scenes / "many-worlds.json")
    with manyworlds.Simulation(scenes / "many-worlds.json", roots=[scenes.parent]) as simulation:
        simulation.step(10)
        assert simulation.format == "scene" and simulation.world_count == 16
        assert np.isfinite(simulation.body_poses).all()
