"""One check of the vector environment with real Gymnasium, by name; the last line of stderr says what is wrong."""

import os
import sys

import gymnasium
import numpy as np
from manyworlds_env import ManyworldsError, ManyworldsVectorEnv

COMMAND = [os.environ["MANYWORLDS_NODE"], "--import", "tsx", "--conditions=@manyworlds/source",
           "examples/programs/serve-cart-pole.ts"]


def make(worlds=6):
    return ManyworldsVectorEnv([*COMMAND, str(worlds)])


def spaces(env):
    assert isinstance(env, gymnasium.vector.VectorEnv)
    assert env.num_envs == 6 and env.observation_space.shape == (6, 4) and env.action_space.shape == (6, 1)
    assert env.single_action_space.low[0] == -1 and env.single_action_space.high[0] == 1
    assert [field["unit"] for field in env.observation_fields] == ["m", "rad", "m/s", "rad/s"]
    assert abs(env.period - 0.02) < 1e-12
    observations, infos = env.reset(seed=1)
    assert observations in env.observation_space and observations.dtype == np.float64 and infos == {}


def seeds(env):
    def play(seed):
        seen = [env.reset(seed=seed)[0]]
        env.action_space.seed(0)
        for _ in range(40):
            observations, rewards, terminated, truncated, _ = env.step(env.action_space.sample())
            seen += [observations, rewards, terminated, truncated]
        return b"".join(part.tobytes() for part in seen)

    first = play(5)
    assert play(5) == first and play(6) != first


def episodes(env):
    env.reset(seed=2)
    lengths, counts = [0] * 6, np.zeros(6, int)
    for _ in range(300):
        observations, rewards, terminated, truncated, infos = env.step(np.ones((6, 1)))
        counts += 1
        over = terminated | truncated
        assert (rewards == 0.02).all()
        for world in np.flatnonzero(over):
            # a pole that a full push throws falls long before time is over
            assert terminated[world] and abs(infos["final_obs"][world][1]) > 0.5
            assert abs(observations[world][1]) <= 0.1, "the next episode begins in the same step"
            assert abs(infos["episode_return"][world] - 0.02 * counts[world]) < 1e-12
            assert infos["_final_obs"][world]
            lengths[world] += 1
            counts[world] = 0
    assert min(lengths) > 3


def random_play(env):
    env.reset(seed=3)
    env.action_space.seed(1)
    for _ in range(200):
        observations, rewards, *_ = env.step(env.action_space.sample())
        assert np.isfinite(observations).all() and np.isfinite(rewards).all()


def wrong_actions(env):
    env.reset()
    try:
        env.step(np.zeros((5, 1)))
        raise AssertionError("five actions for six worlds were taken")
    except ValueError as error:
        assert "expected (6, 1)" in str(error)
    env.step(np.full((6, 1), np.nan))
    clipped = env.reset(seed=4)[0]
    a = env.step(np.full((6, 1), 50.0))[0]
    env.reset(seed=4)
    b = env.step(np.ones((6, 1)))[0]
    assert (a == b).all() and clipped.shape == (6, 4)


def masks(env):
    env.reset(seed=1)
    moved = env.step(np.ones((6, 1)))[0]
    mask = np.array([0, 1, 0, 0, 1, 0], bool)
    observations, _ = env.reset(options={"reset_mask": mask})
    assert (observations[~mask] == moved[~mask]).all() and (observations[mask] != moved[mask]).any()


def closing(env):
    env.reset()
    process = env._process
    env.close()
    assert process.returncode == 0, f"the program ended with {process.returncode}"


def dead_program(env):
    env.reset()
    env._process.kill()
    try:
        for _ in range(3):
            env.step(np.zeros((6, 1)))
        raise AssertionError("a program that is gone still answers")
    except ManyworldsError as error:
        assert "ended with status" in str(error)


env = make()
try:
    globals()[sys.argv[1]](env)
finally:
    env.close()
