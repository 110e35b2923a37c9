import { transformPoint, transformVector } from '@manyworlds/core/internal';
import { type Contacts, type Model, type State, WORLD } from '@manyworlds/model';
import { isKinematic } from '../convert/add-bodies.ts';
import { contactDamping } from '../convert/contact-gains.ts';
import { forceSpaceSolref, SolrefMode } from '../convert/solref.ts';
import type { CompiledModel } from '../engine/compiled-model.ts';
import { doubleField, intField } from '../engine/mj-fields.ts';
import type { MjContact } from '../engine/mujoco-module.ts';

/** Least friction coefficient (`mjMINMU`) and least weight in a mix (`mjMINVAL`). */
const LEAST_FRICTION = 1e-5;
const LEAST_WEIGHT = 1e-15;
/** `mjSTAGE_POS`: what depends on positions has been computed. */
const STAGE_POSITION = 1;

/** Steps a world with contacts that were found elsewhere, which MuJoCo then treats as its own. */
export class GivenContacts {
	readonly #compiled: CompiledModel;
	readonly #model: Model;
	readonly #contact: MjContact;
	/** Geom of each shape of the model, of every world; -1 for none. */
	readonly #geomOf: Int32Array;
	/** Rows of the contacts by world: those of world w lie between starts w and w + 1. */
	#rows: Int32Array = new Int32Array(0);
	readonly #starts: Int32Array;
	readonly #point0: Float64Array = new Float64Array(3);
	readonly #point1: Float64Array = new Float64Array(3);
	readonly #offset: Float64Array = new Float64Array(3);

	constructor(compiled: CompiledModel) {
		this.#compiled = compiled;
		const { model, template } = compiled.conversion;
		this.#model = model;
		this.#contact = new compiled.module.MjContact();
		this.#starts = new Int32Array(model.worldCount + 1);
		this.#geomOf = new Int32Array(model.shapeCount).fill(-1);
		for (const [geom, shape] of compiled.maps.geom.entries()) {
			if (shape < 0) continue;
			this.#geomOf[shape] = geom;
			if (template.world < 0 || model.shapeWorld[shape]! < 0) continue;
			const local = shape - model.shapeWorldStart[template.world]!;
			for (let world = 0; world < model.worldCount; world++) this.#geomOf[model.shapeWorldStart[world]! + local] = geom;
		}
	}

	/** Sorts the rows of contacts by world; those between things that cannot move are left out. */
	sort(contacts: Contacts): void {
		const count = contacts.rigidCount;
		const starts = this.#starts.fill(0);
		for (let row = 0; row < count; row++) {
			const world = this.#worldOf(contacts, row);
			if (world >= 0) starts[world + 1]!++;
		}
		for (let world = 0; world < this.#model.worldCount; world++) starts[world + 1]! += starts[world]!;
		if (this.#rows.length < count) this.#rows = new Int32Array(Math.max(count, 2 * this.#rows.length));
		const next = starts.slice();
		for (let row = 0; row < count; row++) {
			const world = this.#worldOf(contacts, row);
			if (world >= 0) this.#rows[next[world]!++] = row;
		}
	}

	/** One step of the world that is loaded. */
	step(world: number, state: State, contacts: Contacts): void {
		const { module, mj, data, conversion } = this.#compiled;
		module.mj_checkPos(mj, data);
		module.mj_checkVel(mj, data);
		module.mj_fwdKinematics(mj, data);
		module.mj_makeM(mj, data);
		module.mj_factorM(mj, data);
		// collisions are off, so this only forgets the contacts of the step before
		module.mj_collision(mj, data);
		for (let i = this.#starts[world]!; i < this.#starts[world + 1]!; i++) this.#add(this.#rows[i]!, state, contacts);
		module.mj_makeConstraint(mj, data);
		module.mj_island(mj, data);
		module.mj_projectConstraint(mj, data);
		module.mj_transmission(mj, data);
		module.mj_sensorPos(mj, data);
		module.mj_forwardSkip(mj, data, STAGE_POSITION, 0);
		module.mj_checkAcc(mj, data);
		if (conversion.resolved.integrator === 'euler') module.mj_Euler(mj, data);
		else module.mj_implicit(mj, data);
	}

	dispose(): void {
		this.#contact.delete();
	}

	/** The world of a contact, -1 when neither side can move or a shape was not converted. */
	#worldOf(contacts: Contacts, row: number): number {
		const model = this.#model;
		let world = -1;
		let isMovable = false;
		for (const shape of [contacts.rigidShape0[row]!, contacts.rigidShape1[row]!]) {
			if (shape < 0 || this.#geomOf[shape]! < 0) return -1;
			const body = model.shapeBody[shape]!;
			if (body === WORLD) continue;
			world = Math.max(world, Math.max(model.bodyWorld[body]!, 0));
			isMovable ||= this.#isMovable(body, this.#geomOf[shape]!);
		}
		return isMovable ? world : -1;
	}

	#isMovable(body: number, geom: number): boolean {
		const { mj, conversion } = this.#compiled;
		const weld = intField(mj, 'body_weldid')[intField(mj, 'geom_bodyid')[geom]!]!;
		return !isKinematic(conversion, body) && intField(mj, 'body_dofnum')[weld]! > 0;
	}

	#add(row: number, state: State, contacts: Contacts): void {
		const { module, mj, data } = this.#compiled;
		const contact = this.#contact;
		const shapes = [contacts.rigidShape0[row]!, contacts.rigidShape1[row]!] as const;
		const radius0 = this.#surfacePoint(
			this.#point0,
			state,
			shapes[0],
			row,
			contacts.rigidPoint0,
			contacts.rigidOffset0,
			contacts.rigidMargin0,
		);
		const core0 = this.#corePoint(state, shapes[0], row, contacts.rigidPoint0);
		const radius1 = this.#surfacePoint(
			this.#point1,
			state,
			shapes[1],
			row,
			contacts.rigidPoint1,
			contacts.rigidOffset1,
			contacts.rigidMargin1,
		);
		const core1 = this.#corePoint(state, shapes[1], row, contacts.rigidPoint1);
		const normal = contacts.rigidNormal.subarray(3 * row, 3 * row + 3);
		let gap = -radius0 - radius1;
		for (let k = 0; k < 3; k++) gap += normal[k]! * (core1[k]! - core0[k]!);
		contact.dist = gap;
		const pos = contact.pos as Float64Array;
		for (let k = 0; k < 3; k++) pos[k] = 0.5 * (this.#point0[k]! + this.#point1[k]!);
		writeFrame(contact.frame as Float64Array, normal);
		const geoms = [this.#geomOf[shapes[0]]!, this.#geomOf[shapes[1]]!] as const;
		contact.geom1 = geoms[0];
		contact.geom2 = geoms[1];
		(contact.geom as Int32Array).set(geoms);
		for (const field of [contact.flex, contact.elem, contact.vert]) (field as Int32Array).fill(-1);
		contact.exclude = 0;
		contact.efc_address = -1;
		this.#mix(contact, shapes, geoms, contacts, row);
		module.mj_addContact(mj, data, contact);
	}

	/** The point of a shape's surface in world axes; gives the distance of the surface from the stored point [m]. */
	#surfacePoint(
		out: Float64Array,
		state: State,
		shape: number,
		row: number,
		points: Float64Array,
		offsets: Float64Array,
		margins: Float64Array,
	): number {
		const body = this.#model.shapeBody[shape]!;
		const margin = margins[row]!;
		const radius = margin - this.#model.shapeMargin[shape]!;
		const scale = margin === 0 ? 0 : radius / margin;
		if (body === WORLD) {
			for (let k = 0; k < 3; k++) out[k] = points[3 * row + k]! + scale * offsets[3 * row + k]!;
			return radius;
		}
		transformPoint(out, state.bodyQ, points, 0, 7 * body, 3 * row);
		transformVector(this.#offset, state.bodyQ, offsets, 0, 7 * body, 3 * row);
		for (let k = 0; k < 3; k++) out[k]! += scale * this.#offset[k]!;
		return radius;
	}

	#corePoint(state: State, shape: number, row: number, points: Float64Array): Float64Array {
		const body = this.#model.shapeBody[shape]!;
		if (body === WORLD) return points.slice(3 * row, 3 * row + 3);
		return transformPoint(new Float64Array(3), state.bodyQ, points, 0, 7 * body, 3 * row);
	}

	/** Parameters of a contact from those of its two geoms: by priority, else by weight; friction by the larger. */
	#mix(
		contact: MjContact,
		shapes: readonly [number, number],
		geoms: readonly [number, number],
		contacts: Contacts,
		row: number,
	): void {
		const { mj, conversion } = this.#compiled;
		const model = this.#model;
		const [a, b] = geoms;
		const condim = intField(mj, 'geom_condim');
		const priority = intField(mj, 'geom_priority');
		const weight = doubleField(mj, 'geom_solmix');
		const friction = doubleField(mj, 'geom_friction');
		const solref = doubleField(mj, 'geom_solref');
		const solimp = doubleField(mj, 'geom_solimp');
		const margin = doubleField(mj, 'geom_margin');
		const winner = Math.sign(priority[a]! - priority[b]!);
		const share = winner > 0 ? 1 : winner < 0 ? 0 : mixShare(weight[a]!, weight[b]!);
		contact.dim = winner > 0 ? condim[a]! : winner < 0 ? condim[b]! : Math.max(condim[a]!, condim[b]!);
		contact.includemargin = margin[a]! + margin[b]!;
		const mu = [0, 1, 2].map((k) => {
			const [own, other] = [friction[3 * a + k]!, friction[3 * b + k]!];
			return Math.max(LEAST_FRICTION, winner > 0 ? own : winner < 0 ? other : Math.max(own, other));
		});
		(contact.friction as Float64Array).set([mu[0]!, mu[0]!, mu[1]!, mu[2]!, mu[2]!]);
		const impedance = contact.solimp as Float64Array;
		for (let k = 0; k < 5; k++) impedance[k] = share * solimp[5 * a + k]! + (1 - share) * solimp[5 * b + k]!;
		const reference = contact.solref as Float64Array;
		const isBlended = solref[2 * a]! > 0 && solref[2 * b]! > 0;
		for (let k = 0; k < 2; k++) {
			const [own, other] = [solref[2 * a + k]!, solref[2 * b + k]!];
			reference[k] = isBlended ? share * own + (1 - share) * other : Math.min(own, other);
		}
		(contact.solreffriction as Float64Array).fill(0);
		const blend = (values: Float64Array): number => share * values[shapes[0]]! + (1 - share) * values[shapes[1]]!;
		const dmax = impedance[1]!;
		const inverse = this.#inverseWeight(shapes[0], a) + this.#inverseWeight(shapes[1], b);
		const modes = shapes.map((shape) => conversion.attributes.number('solref_mode', shape));
		if (modes.every((mode) => mode === SolrefMode.FORCE_SPACE) && inverse > 0 && dmax < 1) {
			const damping = share * contactDamping(model, shapes[0]) + (1 - share) * contactDamping(model, shapes[1]);
			reference.set(forceSpaceSolref(blend(model.shapeMaterialKe), damping, inverse, dmax));
		}
		this.#applyMaterial(contact, contacts, row, inverse);
		if (conversion.resolved.cone === 'elliptic')
			this.#mixFrictionGain(contact, blend(model.shapeMaterialKf), inverse, dmax);
	}

	/**
	 * Stiffness, damping and friction of the contact itself, before those of the materials. The impedance is made the same
	 * at all depths, so that the force is the stiffness times the depth.
	 */
	#applyMaterial(contact: MjContact, contacts: Contacts, row: number, inverse: number): void {
		const stiffness = contacts.rigidStiffness?.[row] ?? 0;
		if (stiffness > 0) {
			const impedance = contact.solimp as Float64Array;
			const dmax = impedance[1]!;
			impedance.set([dmax, dmax, 0.001, 1, 0.5]);
			const damping = contacts.rigidDamping?.[row] ?? 0;
			const { newtonCompat } = this.#compiled.conversion.options;
			(contact.solref as Float64Array).set(
				newtonCompat ? newtonSolref(stiffness, damping, dmax) : contactSolref(stiffness, damping, inverse, dmax),
			);
		}
		const factor = contacts.rigidFriction?.[row] ?? 0;
		if (!(factor > 0)) return;
		const friction = contact.friction as Float64Array;
		for (let axis = 0; axis < 2; axis++) friction[axis]! *= factor;
	}

	/** Inverse weight of a shape's body, 0 for the world [1/kg]. */
	#inverseWeight(shape: number, geom: number): number {
		if (this.#model.shapeBody[shape] === WORLD) return 0;
		const { mj } = this.#compiled;
		return doubleField(mj, 'body_invweight0')[2 * intField(mj, 'geom_bodyid')[geom]!]!;
	}

	/** A friction gain [N·s/m] as the time constant of friction; none at all leaves no friction. */
	#mixFrictionGain(contact: MjContact, gain: number, inverse: number, dmax: number): void {
		if (gain === 0) contact.dim = 1;
		if (!(gain > 0)) return;
		const rate = gain * inverse * ((1 - dmax) / this.#compiled.engineOptions.impratio + dmax);
		if (rate > 0 && Number.isFinite(2 / rate)) (contact.solreffriction as Float64Array).set([2 / rate, 1]);
	}
}

/** `solref` of a contact's own stiffness and damping in forces; without damping it is critically damped. */
function contactSolref(stiffness: number, damping: number, inverse: number, dmax: number): [number, number] {
	if (damping > 0) return forceSpaceSolref(stiffness, damping, inverse, dmax);
	const factor = inverse > 0 && dmax < 1 ? inverse * (1 - dmax) : 1;
	return [1 / Math.sqrt(stiffness * factor), 1];
}

/** As Newton 1.6.1 has it: gains per mass, and a damping that the impedance is not taken from. */
function newtonSolref(stiffness: number, damping: number, dmax: number): [number, number] {
	const scaled = stiffness * (1 - dmax);
	return damping > 0 ? [2 / damping, damping / 2 / Math.sqrt(scaled)] : [1 / Math.sqrt(scaled), 1];
}

function mixShare(a: number, b: number): number {
	if (a < LEAST_WEIGHT && b < LEAST_WEIGHT) return 0.5;
	if (a < LEAST_WEIGHT) return 0;
	return b < LEAST_WEIGHT ? 1 : a / (a + b);
}

/** Normal, then y or z made orthogonal to it, then the third axis. */
function writeFrame(frame: Float64Array, n: ArrayLike<number>): void {
	const [x, y, z] = [n[0]!, n[1]!, n[2]!];
	const axis = Math.abs(y) < 0.5 ? [0, 1, 0] : [0, 0, 1];
	const along = axis[0]! * x + axis[1]! * y + axis[2]! * z;
	const b = [axis[0]! - along * x, axis[1]! - along * y, axis[2]! - along * z];
	const length = Math.hypot(b[0]!, b[1]!, b[2]!);
	const [bx, by, bz] = [b[0]! / length, b[1]! / length, b[2]! / length];
	frame.set([x, y, z, bx, by, bz, y * bz - z * by, z * bx - x * bz, x * by - y * bx]);
}
