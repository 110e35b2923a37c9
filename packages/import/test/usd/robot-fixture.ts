import type { Model } from '@manyworlds/model';
import type { Imported } from './usd-scene.ts';

/** Ways to write the same robot. */
export interface RobotStyle {
	/** Names of prims, by their usual ones. */
	readonly rename?: (name: string) => string;
	/** Whether prims stand in the opposite order. */
	readonly isReversed?: boolean;
	readonly upAxis?: 'Y' | 'Z';
	/** Metres and kilograms per unit. */
	readonly metersPerUnit?: number;
	readonly kilogramsPerUnit?: number;
	/** Whether a turned and moved Xform stands above every body; poses of bodies stay. */
	readonly hasTransformsAbove?: boolean;
}

/** A cart with an arm, a slider, a ball and a floor, in a style. The physics is the same in all of them. */
export function robotText(style: RobotStyle = {}): { header: string; body: string } {
	const { rename = (name) => name, isReversed = false, upAxis = 'Z' } = style;
	const length = 1 / (style.metersPerUnit ?? 1);
	const mass = 1 / (style.kilogramsPerUnit ?? 1);
	const n = rename;
	const metres = (...parts: number[]): string => `(${parts.map((part) => part * length).join(', ')})`;
	const up = (x: number, y: number, z: number): string => (upAxis === 'Z' ? metres(x, y, z) : metres(x, z, -y));
	const axis = (letter: 'X' | 'Y' | 'Z'): string =>
		upAxis === 'Z' ? letter : ({ X: 'X', Y: 'Z', Z: 'Y' } as const)[letter];
	// what is y there points against z here, so the frames of a joint about y are turned over
	const overturned =
		upAxis === 'Z' ? '' : 'quatf physics:localRot0 = (0, 1, 0, 0)\nquatf physics:localRot1 = (0, 1, 0, 0)';
	const size = (x: number, y: number, z: number): string =>
		upAxis === 'Z' ? `(${x}, ${y}, ${z})` : `(${x}, ${z}, ${y})`;
	const robot = `/${n('World')}/${n('robot')}`;
	const path = (name: string): string =>
		`<${robot}/${style.hasTransformsAbove ? `${n('group')}_${n(name)}/` : ''}${n(name)}>`;
	const place = (x: number, y: number, z: number): string =>
		`double3 xformOp:translate = ${up(x, y, z)}\nuniform token[] xformOpOrder = ["xformOp:translate"]`;
	const above = (name: string, text: string): string => {
		if (!style.hasTransformsAbove) return text;
		// the Xform undoes itself below: first a pivot, then its inverse around the body
		return `def Xform "${n('group')}_${n(name)}" {
	double3 xformOp:translate:pivot = ${metres(1, 2, 3)}
	uniform token[] xformOpOrder = ["xformOp:translate:pivot", "!invert!xformOp:translate:pivot"]
	${text}
}`;
	};
	const box = (
		name: string,
		half: [number, number, number],
		at: [number, number, number],
		extra: string = '',
	): string => `
def Cube "${n(name)}" (prepend apiSchemas = ["PhysicsCollisionAPI", "MaterialBindingAPI"]) {
	double size = ${2 * length}
	double3 xformOp:translate = ${up(...at)}
	double3 xformOp:scale = ${size(...half)}
	uniform token[] xformOpOrder = ["xformOp:translate", "xformOp:scale"]
	rel material:binding:physics = </${n('World')}/${n('rubber')}>
	${extra}
}`;
	const body = (name: string, at: [number, number, number], content: string, settings: string = ''): string =>
		above(
			name,
			`def Xform "${n(name)}" (prepend apiSchemas = ["PhysicsRigidBodyAPI"${settings === '' ? '' : ', "PhysicsMassAPI"'}]) {
	${place(...at)}
	${settings}
	${content}
}`,
		);
	const parts = [
		body('cart', [0, 0, 0.5], box('frame', [0.4, 0.2, 0.1], [0, 0, 0]), `float physics:mass = ${4 * mass}`),
		body('arm', [0.3, 0, 1], box('rod', [0.05, 0.05, 0.4], [0, 0, 0.1])),
		body('slide', [0.3, 0.2, 1.5], box('block', [0.1, 0.1, 0.05], [0, 0, 0])),
		`def PhysicsRevoluteJoint "${n('shoulder')}" (prepend apiSchemas = ["PhysicsDriveAPI:angular"]) {
	rel physics:body0 = ${path('cart')}
	rel physics:body1 = ${path('arm')}
	point3f physics:localPos0 = ${up(0.3, 0, 0.1)}
	point3f physics:localPos1 = ${up(0, 0, -0.4)}
	uniform token physics:axis = "${axis('Y')}"
	${overturned}
	float physics:lowerLimit = -90
	float physics:upperLimit = 45
	float drive:angular:physics:stiffness = ${2 * mass * length * length}
	float drive:angular:physics:damping = ${0.5 * mass * length * length}
	float drive:angular:physics:targetPosition = 10
	float drive:angular:physics:maxForce = ${30 * mass * length * length}
	float newton:armature = ${0.02 * mass * length * length}
}`,
		`def PhysicsPrismaticJoint "${n('rail')}" (prepend apiSchemas = ["PhysicsDriveAPI:linear"]) {
	rel physics:body0 = ${path('arm')}
	rel physics:body1 = ${path('slide')}
	point3f physics:localPos0 = ${up(0, 0.2, 0.5)}
	uniform token physics:axis = "${axis('X')}"
	float physics:lowerLimit = ${-0.1 * length}
	float physics:upperLimit = ${0.2 * length}
	float drive:linear:physics:stiffness = ${100 * mass}
	float drive:linear:physics:targetPosition = ${0.05 * length}
	float newton:velocityLimit = ${3 * length}
	float newton:friction = ${0.7 * mass * length}
}`,
	];
	const world = [
		`def PhysicsScene "${n('scene')}" { float physics:gravityMagnitude = ${9.5 * length} }`,
		`def Material "${n('rubber')}" (prepend apiSchemas = ["PhysicsMaterialAPI", "NewtonMaterialAPI"]) {
	float physics:dynamicFriction = 0.8
	float physics:density = ${(500 * mass) / length ** 3}
	float newton:torsionalFriction = ${0.01 * length}
	float newton:contactStiffness = ${5000 * mass}
}`,
		`def Xform "${n('robot')}" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) {
	${(isReversed ? [...parts].reverse() : parts).join('\n')}
}`,
		`def Sphere "${n('ball')}" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsCollisionAPI"]) {
	double radius = ${0.1 * length}
	vector3f physics:velocity = ${up(1, 0, 0)}
	float newton:contactMargin = ${0.002 * length}
	${place(0, 1, 2)}
}`,
		`def Plane "${n('floor')}" (prepend apiSchemas = ["PhysicsCollisionAPI"]) { uniform token axis = "${axis('Z')}" }`,
	];
	return {
		header: `#usda 1.0
(
	defaultPrim = "${n('World')}"
	upAxis = "${upAxis}"
	metersPerUnit = ${style.metersPerUnit ?? 1}
	kilogramsPerUnit = ${style.kilogramsPerUnit ?? 1}
)
`,
		body: `def Xform "${n('World')}" {\n${(isReversed ? [...world].reverse() : world).join('\n')}\n}\n`,
	};
}

/** Facts of an imported robot that no style may change, by the usual names, in SI and with the up axis along z. */
export function physicsOf(
	{ builder, model: finalize, result }: Imported,
	usual: (label: string) => string = (x) => x,
): unknown {
	const model = finalize();
	const round = (value: number): number => Number(value.toPrecision(5)) + 0;
	const near = (values: ArrayLike<number>): number[] =>
		Array.from(values, (value) => (Math.abs(value) < 1e-6 ? 0 : round(value)));
	const name = (label: string): string => usual(label.slice(label.lastIndexOf('/') + 1));
	const bodies = model.bodyLabels.map((label, body) => ({
		name: name(label),
		mass: round(model.bodyMass[body]!),
		position: near(model.bodyQ.subarray(7 * body, 7 * body + 3)),
		// frames of bodies may be turned against each other by the up axis, so what counts is the trace
		inertia: round(model.bodyInertia[9 * body]! + model.bodyInertia[9 * body + 4]! + model.bodyInertia[9 * body + 8]!),
		velocity: near(model.bodyQd.subarray(6 * body, 6 * body + 3)),
	}));
	const joints = model.jointLabels.map((label, joint) => {
		const start = model.jointQdStart[joint]!;
		const end = model.jointQdStart[joint + 1]!;
		const dofs = Array.from({ length: end - start }, (_, i) => start + i);
		const isFree = end - start === 6;
		return {
			name: isFree ? 'free' : name(label),
			parent: model.jointParent[joint]! < 0 ? 'world' : name(model.bodyLabels[model.jointParent[joint]!]!),
			child: name(model.bodyLabels[model.jointChild[joint]!]!),
			axes: isFree
				? []
				: dofs.map((dof) => ({
						axis: near(axisInWorld(model, joint, dof)),
						limits: near([model.jointLimitLower[dof]!, model.jointLimitUpper[dof]!]),
						gains: near([
							model.jointTargetKe[dof]!,
							model.jointTargetKd[dof]!,
							model.jointLimitKe[dof]!,
							model.jointLimitKd[dof]!,
						]),
						armature: round(model.jointArmature[dof]!),
						rest: near([model.jointEffortLimit[dof]!, model.jointVelocityLimit[dof]!, model.jointFriction[dof]!]),
						target: round(model.jointTargetQ[model.jointQStart[joint]!]!),
					})),
		};
	});
	const shapes = model.shapeLabels.map((label, shape) => ({
		name: name(label),
		type: model.shapeType[shape]!,
		size: near([...model.shapeScale.subarray(3 * shape, 3 * shape + 3)].sort((a, b) => a - b)),
		material: near([
			model.shapeMaterialMu[shape]!,
			model.shapeMaterialKe[shape]!,
			model.shapeMaterialKd[shape]!,
			model.shapeMaterialMuTorsional[shape]!,
			model.shapeMargin[shape]!,
			model.shapeGap[shape]!,
		]),
	}));
	const pairs = Array.from({ length: model.shapeContactPairs.length / 2 }, (_, i) =>
		[0, 1]
			.map((k) => name(model.shapeLabels[model.shapeContactPairs[2 * i + k]!]!))
			.sort()
			.join(' '),
	);
	const byName = (a: { name: string; child?: string }, b: { name: string; child?: string }): number =>
		a.name + (a.child ?? '') < b.name + (b.child ?? '') ? -1 : 1;
	return {
		gravity: near(builder.gravity),
		bodies: bodies.sort(byName),
		joints: joints.sort(byName),
		shapes: shapes.sort(byName),
		pairs: pairs.sort(),
		timeStep: result.physicsDt,
	};
}

function axisInWorld(model: Model, joint: number, dof: number): number[] {
	const inParent = turned(model.jointXP, joint, model.jointAxis.subarray(3 * dof, 3 * dof + 3));
	const parent = model.jointParent[joint]!;
	return parent < 0 ? inParent : turned(model.bodyQ, parent, inParent);
}

function turned(poses: Float64Array, row: number, v: ArrayLike<number>): number[] {
	const [x, y, z, w] = [poses[7 * row + 3]!, poses[7 * row + 4]!, poses[7 * row + 5]!, poses[7 * row + 6]!];
	const [a, b, c] = [v[0]!, v[1]!, v[2]!];
	const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
	return [a + w * tx + (y * tz - z * ty), b + w * ty + (z * tx - x * tz), c + w * tz + (x * ty - y * tx)];
}
