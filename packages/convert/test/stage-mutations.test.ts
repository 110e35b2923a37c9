import { describe, expect, it } from 'vitest';
import { compose, inverse } from '../src/model/pose.ts';
import { convertText, expectClose, massMatrix, mjcfModel, poses, positionOf, text, urdfModel } from './robots.ts';

/** How a stage says the same robot. */
interface Mutation {
	/** Metres of a unit. */
	readonly unit?: number;
	readonly up?: 'Y' | 'Z';
	/** Whether links stand side by side, whatever holds them. */
	readonly isFlat?: boolean;
	/** Whether the joint leads from the child to the parent. */
	readonly isReversed?: boolean;
}

const unitQuat = (x: number, y: number, z: number, w: number): number[] => {
	const length = Math.hypot(x, y, z, w);
	return [x / length, y / length, z / length, w / length];
};

/** Robot: where its base stands, where its arm stands in it, and the joint in both, all in metres. */
const BASE = Float64Array.of(0.2, -0.1, 0.6, ...unitQuat(0.1, 0.2, -0.3, 0.9));
const IN_BASE = Float64Array.of(0.1, 0.2, 0.3, ...unitQuat(0.3, -0.1, 0.2, 0.8));
const IN_ARM = Float64Array.of(-0.05, 0.12, 0.07, ...unitQuat(-0.2, 0.4, 0.1, 0.7));
const ARM = compose(BASE, compose(IN_BASE, inverse(IN_ARM)));
const PRINCIPAL = unitQuat(0.5, -0.3, 0.2, 0.6);

/** The robot as a stage: the same whatever its units, axes, layout and the direction of its joint. */
function stage({ unit = 1, up = 'Z', isFlat = false, isReversed = false }: Mutation): string {
	const length = (metres: number): string => String(metres / unit);
	const vector = (pose: Float64Array): string => `(${[0, 1, 2].map((k) => length(pose[k]!)).join(', ')})`;
	const quat = (q: ArrayLike<number>): string => `(${[q[3], q[0], q[1], q[2]].join(', ')})`;
	const ops = (pose: Float64Array): string => `double3 xformOp:translate = ${vector(pose)}
		quatd xformOp:orient = ${quat(pose.subarray(3))}
		uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:orient"]`;
	const mass = (kilograms: number, moments: readonly number[]): string => `float physics:mass = ${kilograms}
		point3f physics:centerOfMass = (${length(0.03)}, ${length(-0.02)}, ${length(0.05)})
		float3 physics:diagonalInertia = (${moments.map((moment) => moment / unit ** 2).join(', ')})
		quatf physics:principalAxes = ${quat(PRINCIPAL)}`;
	// a stage with y up has the world turned back about x
	const turn = Float64Array.of(0, 0, 0, up === 'Y' ? -Math.SQRT1_2 : 0, 0, 0, up === 'Y' ? Math.SQRT1_2 : 1);
	const base = compose(turn, BASE);
	const arm = isFlat ? compose(turn, ARM) : compose(IN_BASE, inverse(IN_ARM));
	const body = (name: string, content: string, inside = ''): string => `def Xform "${name}" (
		prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"${name === 'base' ? ', "PhysicsArticulationRootAPI"' : ''}]
	)
	{
		${content}
		${inside}
	}`;
	const armText = body('arm', `${ops(arm)}\n${mass(1.5, [0.02, 0.03, 0.035])}`);
	const [armPath, basePath] = [isFlat ? '/Robot/arm' : '/Robot/base/arm', '/Robot/base'];
	const [first, second] = isReversed ? [armPath, basePath] : [basePath, armPath];
	const [frame0, frame1] = isReversed ? [IN_ARM, IN_BASE] : [IN_BASE, IN_ARM];
	return `#usda 1.0
(
	defaultPrim = "Robot"
	metersPerUnit = ${unit}
	upAxis = "${up}"
)
def Xform "Robot"
{
	${body('base', `${ops(base)}\n${mass(3, [0.04, 0.05, 0.06])}`, isFlat ? '' : armText)}
	${isFlat ? armText : ''}
	def PhysicsFixedJoint "anchor"
	{
		rel physics:body1 = </Robot/base>
		point3f physics:localPos0 = ${vector(base)}
		quatf physics:localRot0 = ${quat(base.subarray(3))}
	}
	def PhysicsRevoluteJoint "elbow"
	{
		uniform string ros:joint:name = "joint_0.0"
		uniform token physics:axis = "Y"
		rel physics:body0 = <${first}>
		rel physics:body1 = <${second}>
		point3f physics:localPos0 = ${vector(frame0)}
		quatf physics:localRot0 = ${quat(frame0.subarray(3))}
		point3f physics:localPos1 = ${vector(frame1)}
		quatf physics:localRot1 = ${quat(frame1.subarray(3))}
		float physics:lowerLimit = -90
		float physics:upperLimit = 45
	}
}
`;
}

const MUTATIONS: readonly [string, Mutation][] = [
	['in centimetres', { unit: 0.01 }],
	['with y up', { up: 'Y' }],
	['with links side by side', { isFlat: true }],
	['with its joint towards the root', { isReversed: true }],
	['with all of these', { unit: 0.01, up: 'Y', isFlat: true, isReversed: true }],
];

describe('the same robot on stages that say it otherwise', () => {
	const plain = urdfModel(text(convertText('r.usda', stage({}), 'urdf').files[0]!.content));

	it('keeps the name of its joint, dots and all, and its limits', () => {
		for (const to of ['urdf', 'sdf', 'mjcf'] as const) {
			expect(text(convertText('r.usda', stage({}), to).files[0]!.content)).toContain('name="joint_0.0"');
		}
		expectClose([plain.jointLimitLower[0]!, plain.jointLimitUpper[0]!], [-Math.PI / 2, Math.PI / 4], 1e-6);
	});

	it.each(MUTATIONS)('%s: moves and weighs the same in URDF, MJCF and SDF', (_, mutation) => {
		const source = stage(mutation);
		const urdf = urdfModel(text(convertText('r.usda', source, 'urdf').files[0]!.content));
		const mjcf = mjcfModel(text(convertText('r.usda', source, 'mjcf').files[0]!.content));
		const sdf = text(convertText('r.usda', source, 'sdf').files[0]!.content);
		const back = urdfModel(text(convertText('r.sdf', sdf, 'urdf').files[0]!.content));
		for (const [value] of poses(20, 1) as [number][]) {
			for (const model of [urdf, mjcf, back]) {
				expectClose(massMatrix(model, [value]), massMatrix(plain, [value]), 1e-6);
				// towards the root a coordinate says how the base moves in the arm, the other way round
				expectClose(
					positionOf(model, 'arm', [value]),
					positionOf(plain, 'arm', [value * (mutation.isReversed ? -1 : 1)]),
					1e-5,
				);
			}
		}
	});
});
