import { ArticulatedDynamics, JointType, type Model } from '@manyworlds/model';

/** Diagonal of the mass matrix with armature when all joints are at their reference. */
export function massDiagonal(model: Model): Float64Array {
	const dynamics = new ArticulatedDynamics(model);
	const jointQ = Float64Array.from(model.jointQ);
	for (let joint = 0; joint < model.jointCount; joint++) {
		const type = model.jointType[joint]!;
		const start = model.jointQStart[joint]!;
		if (type === JointType.BALL) jointQ.set([0, 0, 0, 1], start);
		else if (type !== JointType.FREE && type !== JointType.DISTANCE)
			jointQ.fill(0, start, model.jointQStart[joint + 1]!);
	}
	const matrices = dynamics.massMatrix({ jointQ, jointQd: new Float64Array(model.jointDofCount) });
	const size = dynamics.maxDofs;
	const out = Float64Array.from(model.jointArmature);
	for (let articulation = 0; articulation < model.articulationCount; articulation++) {
		const first = model.jointQdStart[model.articulationStart[articulation]!]!;
		const last = model.jointQdStart[model.articulationEnd[articulation]!]!;
		for (let dof = first; dof < last; dof++) {
			const i = dof - first;
			out[dof] = out[dof]! + matrices[articulation * size * size + i * size + i]!;
		}
	}
	return out;
}
