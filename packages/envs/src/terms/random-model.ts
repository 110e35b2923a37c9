import { UsageRangeError } from '@manyworlds/core';
import { ModelFlags } from '@manyworlds/model';
import { worldRows } from '@manyworlds/worlds/internal';
import type { JointChoice } from './joint-observations.ts';
import type { RandomTerm, Span } from './random-term.ts';

/** Options of {@link randomMasses}. @public */
export interface RandomMassOptions {
	/** What masses and inertias are multiplied with. */
	readonly factor: Span;
	/** Names of bodies; all unless given. */
	readonly bodies?: readonly string[];
}

/** Masses of bodies times a factor, each its own; inertias go with them. @public */
export function randomMasses({ factor, bodies }: RandomMassOptions): RandomTerm {
	checkSpan('factor', factor);
	return {
		name: 'masses',
		bind(worlds) {
			const names = bodies ?? worlds.bodyNames;
			const rows = worlds.bodyRows(names);
			const { bodyMass, bodyInertia } = worlds.model;
			const masses = bodyMass.slice();
			const inertias = bodyInertia.slice();
			return {
				modelFlags: ModelFlags.BODY_INERTIAL_PROPERTIES,
				draw(world, draws) {
					for (let i = 0; i < names.length; i++) {
						const body = rows[world * names.length + i]!;
						const scale = draws.uniform(factor[0], factor[1]);
						bodyMass[body] = masses[body]! * scale;
						for (let k = 0; k < 9; k++) bodyInertia[9 * body + k] = inertias[9 * body + k]! * scale;
					}
				},
			};
		},
	};
}

/** Options of {@link randomGains}. @public */
export interface RandomGainOptions extends JointChoice {
	/** What stiffness and damping of drives are multiplied with. */
	readonly factor: Span;
}

/** Gains of drives times a factor, each joint its own. @public */
export function randomGains({ factor, joints }: RandomGainOptions): RandomTerm {
	checkSpan('factor', factor);
	return {
		name: 'gains',
		bind(worlds) {
			const names = joints ?? worlds.scalarJointNames;
			const { dof } = worlds.scalarRows(names);
			const { jointTargetKe, jointTargetKd } = worlds.model;
			const stiffness = jointTargetKe.slice();
			const damping = jointTargetKd.slice();
			return {
				modelFlags: ModelFlags.JOINT_DOF_PROPERTIES,
				draw(world, draws) {
					for (let i = 0; i < names.length; i++) {
						const row = dof[world * names.length + i]!;
						const scale = draws.uniform(factor[0], factor[1]);
						jointTargetKe[row] = stiffness[row]! * scale;
						jointTargetKd[row] = damping[row]! * scale;
					}
				},
			};
		},
	};
}

/** Options of {@link randomFriction}. @public */
export interface RandomFrictionOptions {
	/** Friction of shapes. */
	readonly mu: Span;
}

/** Friction of all shapes of a world: one number for all of them. Shapes that belong to no world keep theirs. @public */
export function randomFriction({ mu }: RandomFrictionOptions): RandomTerm {
	checkSpan('mu', mu);
	return {
		name: 'friction',
		bind({ model }) {
			return {
				modelFlags: ModelFlags.SHAPE_PROPERTIES,
				draw(world, draws) {
					const { start, end } = worldRows(model, 'shape', world);
					const own = draws.uniform(mu[0], mu[1]);
					for (let shape = start; shape < end; shape++) {
						if (model.shapeWorld[shape] === world || model.worldCount <= 1) model.shapeMaterialMu[shape] = own;
					}
				},
			};
		},
	};
}

function checkSpan(name: string, [lower, upper]: Span): void {
	if (lower >= 0 && lower <= upper && upper < Number.POSITIVE_INFINITY) return;
	throw new UsageRangeError(`${name} is ${lower} to ${upper}, expected two numbers of 0 or more, the lesser first`);
}
