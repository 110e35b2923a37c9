// Robots with random stacks of transform operations, the same ones every time.

/** Numbers between -1 and 1 that are the same every time (mulberry32). */
export function random(seed: number): () => number {
	let state = seed;
	return () => {
		state = (state + 0x6d2b79f5) | 0;
		let t = Math.imul(state ^ (state >>> 15), 1 | state);
		t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
		return ((t ^ (t >>> 14)) >>> 0) / 2147483648 - 1;
	};
}

const ROTATIONS = [
	'rotateX',
	'rotateY',
	'rotateZ',
	'rotateXYZ',
	'rotateXZY',
	'rotateYXZ',
	'rotateYZX',
	'rotateZXY',
	'rotateZYX',
];

/** A random stack of operations: Euler angles in all orders, quaternions, matrices, pivots, scales that may mirror. */
function stack(next: () => number): string {
	const lines: string[] = [];
	const order: string[] = [];
	const count = Math.floor((next() + 1) * 2.5);
	const factor = (): number => {
		const size = Math.exp(next());
		return next() < -0.7 ? -size : size;
	};
	const vector = (of: () => number): string => `(${of()}, ${of()}, ${of()})`;
	for (let i = 0; i < count; i++) {
		const kind = Math.floor((next() + 1) * 4);
		if (kind === 0 || kind === 1) {
			lines.push(`double3 xformOp:translate:t${i} = ${vector(() => 2 * next())}`);
			order.push(`xformOp:translate:t${i}`);
			if (kind === 1) order.push(`!invert!xformOp:translate:t${i}`);
		} else if (kind === 2 || kind === 3) {
			const rotation = ROTATIONS[Math.floor((next() + 1) * 4.5)]!;
			const isSingle = rotation.length === 7;
			const type = isSingle ? 'double' : 'double3';
			const value = isSingle ? `${180 * next()}` : vector(() => 180 * next());
			lines.push(`${type} xformOp:${rotation}:r${i} = ${value}`);
			order.push(`${next() < -0.5 ? '!invert!' : ''}xformOp:${rotation}:r${i}`);
		} else if (kind === 4) {
			lines.push(`double3 xformOp:scale:s${i} = ${vector(factor)}`);
			order.push(`xformOp:scale:s${i}`);
		} else if (kind === 5) {
			const q = [next(), next(), next(), next()];
			const length = Math.hypot(...q);
			lines.push(`quatd xformOp:orient:q${i} = (${q.map((x) => x / length).join(', ')})`);
			order.push(`xformOp:orient:q${i}`);
		} else if (kind === 6) {
			const row = (): string => [next() * 1.5, next(), next()].join(', ');
			const m = `((${next() + 2}, ${next()}, ${next()}, 0), (${row()}, 0), (${next()}, ${next()}, ${next() + 2}, 0), (${row()}, 1))`;
			lines.push(`matrix4d xformOp:transform:m${i} = ${m}`);
			order.push(`xformOp:transform:m${i}`);
		} else {
			lines.push(`double xformOp:scaleY:s${i} = ${factor()}`);
			order.push(`xformOp:scaleY:s${i}`);
		}
	}
	lines.push(`uniform token[] xformOpOrder = [${order.map((name) => `"${name}"`).join(', ')}]`);
	return lines.join('\n');
}

/** A chain: Xform, body, Scope, body with a camera-free leaf and a sheared leaf, and a joint between the bodies. */
export function robot(i: number, next: () => number): string {
	const vector = (): string => `(${next()}, ${next()}, ${next()})`;
	return `def Xform "r${i}" {
${stack(next)}
def Xform "a" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"] ) {
${stack(next)}
point3f physics:centerOfMass = ${vector()}
float physics:mass = 2
float3 physics:diagonalInertia = (1, 2, 2.5)
quatf physics:principalAxes = (1, 0, 0, 0)
def Cube "box" ( prepend apiSchemas = ["PhysicsCollisionAPI"] ) {
${stack(next)}
}
def Scope "links" {
def Xform "b" ( prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsMassAPI"] ) {
${stack(next)}
float physics:mass = 1
def Sphere "ball" {
${stack(next)}
}
def Xform "inner" {
${stack(next)}
def Mesh "mesh" {
point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]
}
}
}
}
}
def PhysicsRevoluteJoint "joint" {
rel physics:body0 = </R/r${i}/a>
rel physics:body1 = </R/r${i}/a/links/b>
point3f physics:localPos0 = ${vector()}
point3f physics:localPos1 = ${vector()}
quatf physics:localRot0 = (0.5, 0.5, -0.5, 0.5)
quatf physics:localRot1 = (0.70710677, 0, 0.70710677, 0)
float physics:lowerLimit = -10
float physics:upperLimit = 10
}
}
`;
}
