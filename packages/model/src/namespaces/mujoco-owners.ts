import type { ModelBuilder } from '../model-builder.ts';

/** Transmissions of actuators, by the numbers of `mujoco:actuator_trntype`. */
const TRANSMISSION = { JOINT: 0, JOINT_IN_PARENT: 1, TENDON: 2, SITE: 3, BODY: 4, SLIDERCRANK: 5 } as const;

/**
 * Fills the attributes `mujoco:*_articulation`: the one articulation that each tendon, each of its joints and wraps, and each
 * actuator belongs to; -1 for none or several. Importers call it when the articulations are made. @public
 */
export function resolveMujocoOwners(builder: ModelBuilder): void {
	const owners = new Owners(builder);
	const joints = owners.ofTendonJoints();
	const wraps = owners.ofTendonWraps();
	const tendons = owners.ofTendons(joints, wraps);
	const write = (key: string, values: readonly number[]): void => {
		for (const [row, value] of values.entries()) builder.setAttributeValue(key, row, value);
	};
	write('mujoco:tendon_joint_articulation', joints);
	write('mujoco:tendon_wrap_articulation', wraps);
	write('mujoco:tendon_articulation', tendons);
	write('mujoco:actuator_articulation', owners.ofActuators(tendons));
}

class Owners {
	readonly #builder: ModelBuilder;
	readonly #joints: Int32Array;
	readonly #bodies: number[];
	readonly #shapes: number[];
	readonly #dofs: number[];

	constructor(builder: ModelBuilder) {
		this.#builder = builder;
		this.#joints = builder.column('jointArticulation');
		this.#bodies = new Array<number>(builder.bodyCount).fill(-1);
		this.#dofs = new Array<number>(builder.count('jointDof')).fill(-1);
		const children = builder.column('jointChild');
		const starts = builder.column('jointQdStart');
		const shared = new Set<number>();
		for (let joint = 0; joint < this.#joints.length; joint++) {
			const owner = this.#joints[joint]!;
			const end = joint + 1 < starts.length ? starts[joint + 1]! : this.#dofs.length;
			this.#dofs.fill(owner, starts[joint]!, end);
			const child = children[joint]!;
			if (owner < 0) continue;
			if (this.#bodies[child]! >= 0 && this.#bodies[child] !== owner) shared.add(child);
			this.#bodies[child] = owner;
		}
		for (const body of shared) this.#bodies[body] = -1;
		this.#shapes = [];
		for (const body of builder.column('shapeBody')) this.#shapes.push(this.#bodies[body] ?? -1);
	}

	ofTendonJoints(): number[] {
		return Array.from(this.#integers('mujoco:tendon_joint'), (joint) => this.#joints[joint] ?? -1);
	}

	ofTendonWraps(): number[] {
		const shapes = this.#integers('mujoco:tendon_wrap_shape');
		const owners = Array.from(shapes, (shape) => this.#shapes[shape] ?? -1);
		const starts = this.#integers('mujoco:tendon_wrap_adr');
		const counts = this.#integers('mujoco:tendon_wrap_num');
		starts.forEach((start, tendon) => {
			const end = start + counts[tendon]!;
			if (start < 0 || end > owners.length) return;
			const owner = only(owners.slice(start, end));
			// a pulley belongs to whom the points beside it belong
			for (let row = start; row < end; row++) if (owner >= 0 && shapes[row]! < 0) owners[row] = owner;
		});
		return owners;
	}

	ofTendons(joints: readonly number[], wraps: readonly number[]): number[] {
		const part = (list: readonly number[], adr: string, num: string, tendon: number): readonly number[] | undefined => {
			const start = this.#integers(`mujoco:tendon_${adr}`)[tendon]!;
			const end = start + this.#integers(`mujoco:tendon_${num}`)[tendon]!;
			return start < 0 || end < start || end > list.length ? undefined : list.slice(start, end);
		};
		return Array.from({ length: this.#builder.rowCount('mujoco:tendon') }, (_, tendon) => {
			const own = part(joints, 'joint_adr', 'joint_num', tendon);
			const wrapped = part(wraps, 'wrap_adr', 'wrap_num', tendon);
			return own === undefined || wrapped === undefined ? -1 : only([...own, ...wrapped]);
		});
	}

	ofActuators(tendons: readonly number[]): number[] {
		const targets = this.#integers('mujoco:actuator_trnid');
		const types = this.#integers('mujoco:actuator_trntype');
		const labels = this.#builder.attributeValues('mujoco:actuator_target_label') as string[];
		const byLabel = labels.some((label) => label !== '') ? this.#labelled(tendons) : undefined;
		return Array.from(types, (type, row) => {
			const label = labels[row]!;
			const named = label === '' ? -1 : (byLabel?.get(label) ?? -1);
			if (named >= 0) return named;
			const [first, second] = [targets[2 * row]!, targets[2 * row + 1]!];
			switch (type) {
				case TRANSMISSION.JOINT:
				case TRANSMISSION.JOINT_IN_PARENT:
					return this.#dofs[first] ?? -1;
				case TRANSMISSION.TENDON:
					return tendons[first] ?? -1;
				case TRANSMISSION.BODY:
					return this.#bodies[first] ?? -1;
				case TRANSMISSION.SITE:
					return label === '' ? (this.#shapes[first] ?? -1) : -1;
				default:
					return only([this.#shapes[first] ?? -1, this.#shapes[second] ?? -1]);
			}
		});
	}

	/** Owners by label; a degree of freedom counts before its joint, then tendons, shapes and bodies. */
	#labelled(tendons: readonly number[]): Map<string, number> {
		const found = new Map<string, number>();
		addLabelled(found, this.#builder.attributeValues('mujoco:joint_dof_label') as string[], this.#dofs);
		addLabelled(found, this.#builder.labels('joint'), this.#joints);
		addLabelled(found, this.#builder.attributeValues('mujoco:tendon_label') as string[], tendons);
		addLabelled(found, this.#builder.labels('shape'), this.#shapes);
		addLabelled(found, this.#builder.labels('body'), this.#bodies);
		return found;
	}

	#integers(key: string): Int32Array {
		return this.#builder.attributeValues(key) as Int32Array;
	}
}

/** Owners by label where the label has none yet. */
function addLabelled(found: Map<string, number>, labels: readonly string[], owners: ArrayLike<number>): void {
	for (let i = 0; i < labels.length; i++) {
		const label = labels[i]!;
		if (label !== '' && !found.has(label)) found.set(label, owners[i]!);
	}
}

/** The one owner of a list; -1 when there is none, or several. */
function only(owners: readonly number[]): number {
	const found = new Set(owners.filter((owner) => owner >= 0));
	return found.size === 1 ? [...found][0]! : -1;
}
