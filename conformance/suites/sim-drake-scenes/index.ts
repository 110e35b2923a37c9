import { ArticulatedDynamics, type State } from '@manyworlds/model';
import { CollisionPipeline, SolverSap, type WorldContacts } from '@manyworlds/sim';
import { type Case, engineOptions, type Outcome, type Suite, type SuiteContext } from '../../src/suite.ts';
import { Findings } from '../model-dynamics/findings.ts';
import { type BuiltScene, buildScene, rotate } from './build-scene.ts';
import { checkContacts, StartVelocities } from './check-contacts.ts';
import { checkMassMatrix } from './check-mass-matrix.ts';
import { type Run, runsOf } from './scene-file.ts';

/** Whole trajectories of Drake's SAP: contact, limits, drives, couplers, loops, stacks, a quadruped. */
export const simDrakeScenes: Suite = {
	name: 'sim/drake-scenes',
	description: 'runs of Drake (drake-sap/1): scenes stepped with our collision and solver',
	defaultDir: 'oracle/golden/drake',
	groups: [
		{
			name: 'trajectory',
			description: 'positions and velocities of free bodies, joints and links; start mass matrix; every step converged',
			tolerance:
				'positions 1e-6 or 10 times the sensitivity of the scene, velocities 1e-5 or 100 times; mass matrix 1e-12 relative',
			timeLimit: 60,
			*cases(context: SuiteContext): Generator<Case> {
				for (const { name, load } of runsOf(context.dir))
					yield { name, run: () => checkRun(load(), 'trajectory', context) };
			},
		},
		{
			name: 'contacts',
			description: 'contact points, normals, depths, forces and speeds',
			tolerance:
				'points and depths as positions, speeds as velocities, forces 1e-5 of the weight or 100 times the sensitivity',
			timeLimit: 60,
			*cases(context: SuiteContext): Generator<Case> {
				for (const { name, load } of runsOf(context.dir))
					yield { name, run: () => checkRun(load(), 'contacts', context) };
			},
		},
	],
};

/** How far results may be off at a step. */
export interface Bounds {
	readonly position: number;
	readonly velocity: number;
}

function checkRun(run: Run, group: 'trajectory' | 'contacts', context: SuiteContext): Outcome {
	const findings = new Findings();
	const { scene } = run;
	const built = buildScene(scene);
	const { model } = built;
	let state = built.state;
	let next = model.createState();
	new ArticulatedDynamics(model).forwardKinematics(state);
	if (group === 'trajectory') {
		checkMassMatrix(run, built, findings);
		checkState(run, built, state, 0, findings);
	}
	const pipeline = new CollisionPipeline(model);
	const contacts: WorldContacts = pipeline.createContacts({ perWorld: 512 });
	const solver = new SolverSap(model, {
		...engineOptions(context),
		contactPresetVariant: 'drake',
		contactBeta: scene.near_rigid,
		gyroscopicTerms: 'explicit',
		// Drake stops at a residual of 1e-6: where that is depends on its Newton steps
		frictionDirection: 'slip',
	});
	const velocities = new StartVelocities(built);
	for (let step = 1; step <= scene.steps; step++) {
		pipeline.collide(state, contacts);
		solver.step(state, next, built.control, contacts, scene.dt);
		if (group === 'contacts') {
			velocities.place(state, next);
			checkContacts(run, built, contacts, state, velocities, step, boundsAt(run, step), findings);
		} else {
			checkState(run, built, next, step, findings);
			if (solver.outcome.converged[0] !== 1) findings.add(`step ${step} did not converge`);
		}
		[state, next] = [next, state];
	}
	return findings.outcome();
}

/** Bounds at a step: the sensitivity is the largest up to the row behind it. */
function boundsAt(run: Run, step: number): Bounds {
	const { every, rows } = run.sensitivity;
	let position = 0;
	let velocity = 0;
	for (let i = 0; i < rows.length && (i === 0 || i * every < step + every); i++) {
		position = Math.max(position, rows[i]![0]);
		velocity = Math.max(velocity, rows[i]![1]);
	}
	return { position: Math.max(1e-6, 10 * position), velocity: Math.max(1e-5, 100 * velocity) };
}

function checkState(run: Run, built: BuiltScene, state: State, step: number, findings: Findings): void {
	const { model } = built;
	const bounds = boundsAt(run, step);
	for (const [name, rows] of Object.entries(run.free_bodies)) {
		if (rows.length !== run.scene.steps + 1) findings.add(`${name} has ${rows.length} rows`);
		checkBody(`step ${step}: ${name}`, built, state, built.bodies.get(name)!, rows[step]!, bounds, findings);
	}
	for (const [name, rows] of Object.entries(run.joints)) {
		const joint = built.joints.get(name)!;
		const row = rows[step]!;
		findings.close(`step ${step}: q of ${name}`, [state.jointQ[model.jointQStart[joint]!]!], [row[0]], bounds.position);
		findings.close(
			`step ${step}: v of ${name}`,
			[state.jointQd[model.jointQdStart[joint]!]!],
			[row[1]],
			bounds.velocity,
		);
	}
	if (step % 10 !== 0) return;
	for (const [name, rows] of Object.entries(run.links_every_10)) {
		const row = rows[step / 10]!;
		checkBody(`step ${step}: link ${name}`, built, state, built.bodies.get(name)!, row, bounds, findings);
	}
}

/** A row: position, quaternion, angular velocity, velocity of the origin. */
function checkBody(
	what: string,
	{ model }: BuiltScene,
	state: State,
	body: number,
	row: readonly number[],
	bounds: Bounds,
	findings: Findings,
): void {
	const pose = state.bodyQ.subarray(7 * body, 7 * body + 7);
	findings.close(`${what} position`, pose.subarray(0, 3), row.slice(0, 3), bounds.position);
	const q = pose.subarray(3);
	const sign = q.reduce((sum, value, i) => sum + value * row[3 + i]!, 0) < 0 ? -1 : 1;
	findings.close(
		`${what} rotation`,
		q.map((value) => sign * value),
		row.slice(3, 7),
		bounds.position,
	);
	const [vx, vy, vz, wx, wy, wz] = state.bodyQd.subarray(6 * body, 6 * body + 6) as unknown as [
		number,
		number,
		number,
		number,
		number,
		number,
	];
	findings.close(`${what} angular velocity`, [wx, wy, wz], row.slice(7, 10), bounds.velocity);
	const r = rotate(q, model.bodyCom.subarray(3 * body, 3 * body + 3));
	const origin = [vx - (wy * r[2]! - wz * r[1]!), vy - (wz * r[0]! - wx * r[2]!), vz - (wx * r[1]! - wy * r[0]!)];
	findings.close(`${what} velocity`, origin, row.slice(10, 13), bounds.velocity);
}
