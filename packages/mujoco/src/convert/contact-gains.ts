import { CONTACT_DEFAULTS, type Model } from '@manyworlds/model';
import { SAP_TAU_ATTRIBUTE } from '@manyworlds/sim/internal';

/**
 * Whether a shape has the stiffness and damping of named contact defaults, which are made for other solvers: MuJoCo then takes
 * its own.
 */
export function hasContactDefaults(model: Model, shape: number): boolean {
	const [stiffness, damping] = [model.shapeMaterialKe[shape], contactDamping(model, shape)];
	return NAMED.some(({ ke, kd }) => ke === stiffness && kd === damping);
}

/**
 * Contact damping of a shape [N·s/m]. Scenes give contacts a stiffness and a relaxation time, which MuJoCo does not know: where
 * a shape has such a time and no damping of its own, the damping is the one with the same effect.
 */
export function contactDamping(model: Model, shape: number): number {
	const own = model.shapeMaterialKd[shape]!;
	if (!model.attributes.has(SAP_TAU_ATTRIBUTE) || !NAMED.some(({ kd }) => kd === own)) return own;
	const tau = Number(model.attributes.get(SAP_TAU_ATTRIBUTE)[shape]);
	return tau >= 0 ? model.shapeMaterialKe[shape]! * tau : own;
}

const NAMED = Object.values(CONTACT_DEFAULTS);
