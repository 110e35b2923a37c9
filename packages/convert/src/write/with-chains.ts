import type { ConversionLedger } from '../model/conversion-ledger.ts';
import type { ConversionJoint, ConversionModel, JointFreedom } from '../model/conversion-model.ts';
import { splitCompounds } from '../model/split-compounds.ts';

/** What becomes of joints with several ways to move in formats that have none. @public */
export interface ChainOptions {
	/** Whether they become chains of joints over small links; else the target says that it cannot hold them. */
	readonly splitJoints?: boolean;
}

/** Values of {@link ChainOptions} that are used when absent. */
export const CHAIN_DEFAULTS: Required<ChainOptions> = { splitJoints: false };

/** The robot with chains in place of joints with several ways to move, each told; with `withBalls` in place of ball joints too. */
export function withChains(source: ConversionModel, ledger: ConversionLedger, withBalls = false): ConversionModel {
	const model = withBalls ? { ...source, joints: source.joints.map(withTurns) } : source;
	for (const [index, { kind, name, freedoms }] of model.joints.entries()) {
		if (kind !== 'compound') continue;
		const names = freedoms.map((freedom, k) => `'${freedom.name ?? `${name}_${k}`}'`).join(', ');
		const message = `'${name}' is written as joints ${names} over small links`;
		ledger.approximate('joint', index, 'joint-kind', message);
	}
	return splitCompounds(model);
}

/** A ball joint as turns about x, y and z, one after the other; other joints as they are. */
function withTurns(joint: ConversionJoint): ConversionJoint {
	if (joint.kind !== 'spherical') return joint;
	const { cone = Number.POSITIVE_INFINITY } = joint;
	const axes = [
		[1, 0, 0],
		[0, 1, 0],
		[0, 0, 1],
	] as const;
	const freedoms = axes.map((axis): JointFreedom => ({ motion: 'turn', axis, lower: -cone, upper: cone, start: 0 }));
	return { ...joint, kind: 'compound', freedoms };
}
