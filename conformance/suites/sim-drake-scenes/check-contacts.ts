import { ArticulatedDynamics, JointType, type State } from '@manyworlds/model';
import type { WorldContacts } from '@manyworlds/sim';
import type { Findings } from '../model-dynamics/findings.ts';
import { type BuiltScene, rotate } from './build-scene.ts';
import type { Bounds } from './index.ts';
import type { Run } from './scene-file.ts';

/** Contacts of the step that ends at `step`: geometry at its start, forces over it, speeds at its end. */
export function checkContacts(
	run: Run,
	built: BuiltScene,
	contacts: WorldContacts,
	before: State,
	velocities: StartVelocities,
	step: number,
	bounds: Bounds,
	findings: Findings,
): void {
	const golden = run.contacts[`${step}`];
	if (golden === undefined) return;
	const { model, shapes } = built;
	const weight = model.bodyMass.reduce((sum, mass) => sum + mass, 0) * Math.hypot(...run.scene.gravity);
	const forceBound = Math.max(1e-5 * Math.max(weight, 1e-3), (weight * bounds.velocity) / 10);
	const rows = new Map<string, number>();
	for (let row = 0; row < contacts.rigidCount; row++) {
		const [a, b] = [shapes[contacts.rigidShape0[row]!]!, shapes[contacts.rigidShape1[row]!]!];
		rows.set(`${a} ${b}`, row);
		rows.set(`${b} ${a}`, row);
	}
	for (const contact of golden) {
		const where = `step ${step}: ${contact.a} on ${contact.b}`;
		const row = rows.get(`${contact.a} ${contact.b}`);
		if (row === undefined) {
			if (contact.depth > bounds.position) findings.add(`${where} is no contact`);
			continue;
		}
		// ours goes from shape 0 to shape 1, the file's from b to a
		const isFirstB = shapes[contacts.rigidShape0[row]!] === contact.b;
		const sign = isFirstB ? 1 : -1;
		const normal = contacts.rigidNormal.subarray(3 * row, 3 * row + 3).map((x) => sign * x);
		const x0 = worldPoint(built, before, contacts.rigidShape0[row]!, contacts.rigidPoint0, 3 * row);
		const x1 = worldPoint(built, before, contacts.rigidShape1[row]!, contacts.rigidPoint1, 3 * row);
		const k0 = model.shapeMaterialKe[contacts.rigidShape0[row]!]!;
		const k1 = model.shapeMaterialKe[contacts.rigidShape1[row]!]!;
		const point = x0.map((x, k) => (k0 * x + k1 * x1[k]!) / (k0 + k1));
		const depth = -x0.reduce((sum, x, k) => sum + sign * normal[k]! * (x1[k]! - x), 0);
		findings.close(`${where} point`, point, contact.point, bounds.position);
		findings.close(`${where} normal`, normal, contact.normal_ba, 10 * bounds.position);
		findings.close(`${where} depth`, [depth], [contact.depth], bounds.position);
		// the buffer holds the force on shape 0
		const force = contacts.rigidForce!.subarray(6 * row, 6 * row + 3).map((f) => sign * f);
		findings.close(`${where} force`, force, contact.force_on_b, forceBound);
		const va = velocities.of(contact.a, point);
		const vb = velocities.of(contact.b, point);
		const relative = va.map((v, k) => v - vb[k]!);
		const separation = relative.reduce((sum, v, k) => sum + v * normal[k]!, 0);
		const slip = Math.hypot(...relative.map((v, k) => v - separation * normal[k]!));
		findings.close(`${where} separation speed`, [separation], [contact.separation_speed], bounds.velocity);
		findings.close(`${where} slip speed`, [slip], [contact.slip_speed], bounds.velocity);
	}
	const named = new Set(golden.map((contact) => `${contact.a} ${contact.b}`));
	for (let row = 0; row < contacts.rigidCount; row++) {
		const [a, b] = [shapes[contacts.rigidShape0[row]!]!, shapes[contacts.rigidShape1[row]!]!];
		if (named.has(`${a} ${b}`) || named.has(`${b} ${a}`)) continue;
		const x0 = worldPoint(built, before, contacts.rigidShape0[row]!, contacts.rigidPoint0, 3 * row);
		const x1 = worldPoint(built, before, contacts.rigidShape1[row]!, contacts.rigidPoint1, 3 * row);
		const depth = -x0.reduce((sum, x, k) => sum + contacts.rigidNormal[3 * row + k]! * (x1[k]! - x), 0);
		if (depth > bounds.position) findings.add(`step ${step}: ${a} on ${b} is a contact that the file does not have`);
	}
}

function worldPoint({ model }: BuiltScene, state: State, shape: number, points: Float64Array, at: number): number[] {
	const body = model.shapeBody[shape]!;
	const local = points.subarray(at, at + 3);
	if (body < 0) return [...local];
	const r = rotate(state.bodyQ.subarray(7 * body + 3, 7 * body + 7), local);
	return r.map((x, k) => x + state.bodyQ[7 * body + k]!);
}

/** Velocities at the end of a step, of bodies that are still where they were at its start. */
export class StartVelocities {
	readonly #built: BuiltScene;
	readonly #dynamics: ArticulatedDynamics;
	readonly #state: State;

	constructor(built: BuiltScene) {
		this.#built = built;
		this.#dynamics = new ArticulatedDynamics(built.model);
		this.#state = built.model.createState();
	}

	place(before: State, after: State): void {
		const { model } = this.#built;
		const state = this.#state;
		state.jointQ.set(before.jointQ);
		state.jointQd.set(after.jointQd);
		for (let joint = 0; joint < model.jointCount; joint++) {
			if (model.jointType[joint] !== JointType.FREE) continue;
			// the velocity of the origin is the solver's; that of the centre of mass changes as the body turns
			const body = model.jointChild[joint]!;
			const com = model.bodyCom.subarray(3 * body, 3 * body + 3);
			const q = model.jointQStart[joint]! + 3;
			const old = rotate(before.jointQ.subarray(q, q + 4), com);
			const turned = rotate(after.jointQ.subarray(q, q + 4), com);
			const r = old.map((x, k) => x - turned[k]!) as [number, number, number];
			const d = model.jointQdStart[joint]!;
			const [wx, wy, wz] = [state.jointQd[d + 3]!, state.jointQd[d + 4]!, state.jointQd[d + 5]!];
			state.jointQd[d] = state.jointQd[d]! + wy * r[2] - wz * r[1];
			state.jointQd[d + 1] = state.jointQd[d + 1]! + wz * r[0] - wx * r[2];
			state.jointQd[d + 2] = state.jointQd[d + 2]! + wx * r[1] - wy * r[0];
		}
		this.#dynamics.forwardKinematics(state);
	}

	/** Velocity of a point of the body that a shape BODY/SHAPE belongs to. */
	of(name: string, point: readonly number[]): number[] {
		const owner = name.split('/')[0]!;
		if (owner === 'world') return [0, 0, 0];
		const { model, bodies } = this.#built;
		const body = bodies.get(owner)!;
		const { bodyQ, bodyQd } = this.#state;
		const com = rotate(bodyQ.subarray(7 * body + 3, 7 * body + 7), model.bodyCom.subarray(3 * body, 3 * body + 3));
		const r = point.map((x, k) => x - bodyQ[7 * body + k]! - com[k]!) as [number, number, number];
		const [vx, vy, vz, wx, wy, wz] = [0, 1, 2, 3, 4, 5].map((k) => bodyQd[6 * body + k]!) as [
			number,
			number,
			number,
			number,
			number,
			number,
		];
		return [vx + wy * r[2] - wz * r[1], vy + wz * r[0] - wx * r[2], vz + wx * r[1] - wy * r[0]];
	}
}
