import { loadSceneText } from '@manyworlds/scene';
import { expect, it } from 'vitest';

/** The minimal scene of seed 001, word for word. */
const SINGLE_BOX = `schema_version: 1
name: single_box

simulation:
  dt: 0.003
  num_worlds: 1
  max_rigid_contact: 64
  solver:
    contact_preset_variant: approx32
    line_search_variant: monotone_decay

builder:
  rigid_gap: 0.002
  defaults:
    shape:
      density: 1000.0
      ke: 1000000.0
      tau: 0.01
      mu: 0.5

ground:
  enabled: true
  label: DEFAULT_GROUND

bodies:
  - id: box
    mass: 1.0
    transform:
      p: [0.0, 0.0, 1.0]
      q: identity
    shapes:
      - type: box
        hx: 0.5
        hy: 0.5
        hz: 0.5

joints:
  - id: box_free
    type: free
    parent: world
    child: box

articulations:
  - id: box_articulation
    joints: [box_free]
`;

it('loads the minimal scene of the seed', () => {
	const { loaded, report, unsupportedFeatures } = loadSceneText(SINGLE_BOX, { file: 'single_box.yaml' });
	expect(report.toArray()).toEqual([]);
	expect(unsupportedFeatures).toEqual([]);
	expect(loaded?.scene.name).toBe('single_box');
	expect(loaded?.settings).toMatchObject({
		dt: 0.003,
		numWorlds: 1,
		maxRigidContact: 64,
		rigidContactMax: 64,
		solver: { contactPresetVariant: 'approx32', lineSearchVariant: 'monotone_decay', contactTauD: 0.01 },
	});
	expect(loaded?.bodyLabels).toEqual(['box']);
	expect(loaded?.shapeLabels).toEqual(['shape_0', 'DEFAULT_GROUND']);
	// the mass of the body and that of its shape
	expect(Array.from(loaded?.model.bodyMass ?? [])).toEqual([1001]);
	expect(Array.from(loaded?.state.jointQ ?? [])).toEqual([0, 0, 1, 0, 0, 0, 1]);
	expect(loaded?.worldCount).toBe(1);
});

it('runs the minimal scene: the box falls to the ground and stays', () => {
	const { loaded } = loadSceneText(SINGLE_BOX, { file: 'single_box.yaml' });
	if (loaded === undefined) throw new Error('not loaded');
	const { pipeline, contacts } = loaded.createCollision();
	const solver = loaded.createSolver();
	let state = loaded.sapState;
	let next = loaded.sapModel.createState();
	for (let frame = 0; frame < 700; frame++) {
		pipeline.collide(state, contacts);
		solver.step(state, next, loaded.sapControl, contacts, loaded.settings.dt);
		[state, next] = [next, state];
	}
	expect(contacts.rigidCount).toBe(4);
	expect(state.jointQ[2]).toBeGreaterThan(0.49);
	expect(state.jointQ[2]).toBeLessThan(0.5);
});
