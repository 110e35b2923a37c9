/**
 * A second way to masses and inertias, for what the reference gets wrong: everything is a sum of second moments
 * `∫ xᵢ xⱼ dm`, meshes are integrated by quadrature points, hollow shapes have an inner piece of negative mass.
 */
export interface Piece {
	readonly mass: number;
	readonly com: readonly number[];
	/** Second moments about the centre, 3 x 3. */
	readonly moments: readonly number[];
}

/** Position and quaternion x y z w. */
export type Pose = readonly number[];

/** A piece with a given inertia about its centre. */
export function pieceOfInertia(mass: number, com: readonly number[], inertia: readonly number[]): Piece {
	const half = (inertia[0]! + inertia[4]! + inertia[8]!) / 2;
	return { mass, com, moments: inertia.map((value, i) => (i % 4 === 0 ? half - value : -value)) };
}

/** A vector turned by a quaternion x y z w. */
export function rotate(q: readonly number[], v: readonly number[]): number[] {
	const [x, y, z, w] = q as [number, number, number, number];
	const [a, b, c] = v as [number, number, number];
	const [tx, ty, tz] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)];
	return [a + w * tx + y * tz - z * ty, b + w * ty + z * tx - x * tz, c + w * tz + x * ty - y * tx];
}

/** A piece seen from the frame that places it. */
export function placePiece(piece: Piece, pose: Pose): Piece {
	const q = pose.slice(3);
	const columns = [rotate(q, [1, 0, 0]), rotate(q, [0, 1, 0]), rotate(q, [0, 0, 1])];
	const moments: number[] = [];
	for (let i = 0; i < 3; i++) {
		for (let j = 0; j < 3; j++) {
			let sum = 0;
			for (let a = 0; a < 3; a++)
				for (let b = 0; b < 3; b++) sum += columns[a]![i]! * piece.moments[3 * a + b]! * columns[b]![j]!;
			moments.push(sum);
		}
	}
	return { mass: piece.mass, com: rotate(q, piece.com).map((value, i) => value + pose[i]!), moments };
}

/** The pieces as one. */
export function sumPieces(pieces: readonly Piece[]): { mass: number; com: number[]; inertia: number[] } {
	const mass = pieces.reduce((sum, piece) => sum + piece.mass, 0);
	const com = [0, 1, 2].map((k) =>
		mass === 0 ? pieces[0]!.com[k]! : pieces.reduce((sum, piece) => sum + piece.mass * piece.com[k]!, 0) / mass,
	);
	const moments = new Array<number>(9).fill(0);
	for (const piece of pieces) {
		for (let i = 0; i < 9; i++) {
			const [a, b] = [Math.floor(i / 3), i % 3];
			moments[i]! += piece.moments[i]! + piece.mass * (piece.com[a]! - com[a]!) * (piece.com[b]! - com[b]!);
		}
	}
	const trace = moments[0]! + moments[4]! + moments[8]!;
	return { mass, com, inertia: moments.map((value, i) => (i % 4 === 0 ? trace - value : -value)) };
}

const diagonal = (x: number, y: number, z: number): number[] => [x, 0, 0, 0, y, 0, 0, 0, z];

/** A solid primitive by the name of the call that adds it; sizes are radius and half height, or three half sizes. */
export function solidPiece(kind: string, s: readonly number[], density: number): Piece {
	const [x, y, z] = [Math.abs(s[0] ?? 0), Math.abs(s[1] ?? 0), Math.abs(s[2] ?? 0)];
	const com = [0, 0, 0];
	switch (kind) {
		case 'addShapeSphere':
			return solidPiece('addShapeEllipsoid', [x, x, x], density);
		case 'addShapeEllipsoid': {
			const mass = (density * 4 * Math.PI * x * y * z) / 3;
			return { mass, com, moments: diagonal((mass * x * x) / 5, (mass * y * y) / 5, (mass * z * z) / 5) };
		}
		case 'addShapeBox': {
			const mass = 8 * density * x * y * z;
			return { mass, com, moments: diagonal((mass * x * x) / 3, (mass * y * y) / 3, (mass * z * z) / 3) };
		}
		case 'addShapeCylinder': {
			const mass = 2 * density * Math.PI * x * x * y;
			return { mass, com, moments: diagonal((mass * x * x) / 4, (mass * x * x) / 4, (mass * y * y) / 3) };
		}
		case 'addShapeCapsule': {
			const tube = solidPiece('addShapeCylinder', s, density);
			const ball = (density * 4 * Math.PI * x ** 3) / 3;
			// distance of the points of a half ball from its flat side is 3r/8 on average
			const along = ball * ((x * x) / 5 + (3 * x * y) / 4 + y * y);
			const across = tube.moments[0]! + (ball * x * x) / 5;
			return { mass: tube.mass + ball, com, moments: diagonal(across, across, tube.moments[8]! + along) };
		}
		case 'addShapeCone': {
			const mass = (2 * density * Math.PI * x * x * y) / 3;
			const across = (3 * mass * x * x) / 20;
			return { mass, com: [0, 0, -y / 2], moments: diagonal(across, across, (3 * mass * y * y) / 20) };
		}
		default:
			throw new TypeError(`no mass for '${kind}'`);
	}
}

/** A closed mesh stretched along its axes, or a wall of half thickness `wall` on both sides of its triangles. */
export function meshPiece(
	vertices: readonly number[],
	indices: readonly number[],
	scale: readonly number[],
	density: number,
	wall: number | undefined,
): Piece {
	const point = (index: number): number[] => [0, 1, 2].map((k) => vertices[3 * index + k]! * scale[k]!);
	const samples: { weight: number; at: number[] }[] = [];
	for (let t = 0; t < indices.length; t += 3) {
		const corners = [point(indices[t]!), point(indices[t + 1]!), point(indices[t + 2]!)] as [
			number[],
			number[],
			number[],
		];
		samples.push(...(wall === undefined ? tetrahedronSamples(corners) : prismSamples(corners, wall)));
	}
	const volume = samples.reduce((sum, { weight }) => sum + weight, 0);
	const factor = volume < 0 ? -density : density;
	const mass = factor * volume;
	const com = [0, 1, 2].map((k) => samples.reduce((sum, { weight, at }) => sum + weight * at[k]!, 0) / volume);
	const moments = new Array<number>(9).fill(0);
	for (const { weight, at } of samples) {
		for (let i = 0; i < 9; i++) {
			const [a, b] = [Math.floor(i / 3), i % 3];
			moments[i]! += factor * weight * (at[a]! - com[a]!) * (at[b]! - com[b]!);
		}
	}
	return { mass, com, moments };
}

/**
 * A solid mesh as the reference stretches it: moments of inertia of the unscaled mesh times the mean square of the two
 * other factors, products times both factors (FORMAT.md, scaled-mesh-inertia).
 */
export function meshPieceOfReference(
	vertices: readonly number[],
	indices: readonly number[],
	scale: readonly number[],
	density: number,
): Piece {
	const unit = meshPiece(vertices, indices, [1, 1, 1], 1, undefined);
	const factor = Math.abs(scale[0]! * scale[1]! * scale[2]!) * density;
	const squares = scale.map((value) => value * value);
	const total = squares[0]! + squares[1]! + squares[2]!;
	const inertia = sumPieces([unit]).inertia.map((value, i) => {
		const [a, b] = [Math.floor(i / 3), i % 3];
		return value * factor * (a === b ? (total - squares[a]!) / 2 : scale[a]! * scale[b]!);
	});
	return pieceOfInertia(
		unit.mass * factor,
		unit.com.map((value, k) => value * scale[k]!),
		inertia,
	);
}

/**
 * A body with merged ones as the reference sums them: the tensor of a merged body is moved by the position of its
 * frame instead of its centre, and none is moved to the new centre (FORMAT.md, collapse-inertia).
 */
export function mergeOfReference(
	own: readonly Piece[],
	merged: readonly { pieces: readonly Piece[]; pose: Pose }[],
): Piece {
	const sum = sumPieces(own);
	const inertia = [...sum.inertia];
	const points = [{ mass: sum.mass, com: sum.com, moments: [] as number[] }];
	for (const { pieces, pose } of merged) {
		const { mass, com, inertia: tensor } = sumPieces(pieces);
		const moved = placePiece(pieceOfInertia(mass, [0, 0, 0], tensor), pose);
		const turned = sumPieces([{ ...moved, com: [0, 0, 0] }]).inertia;
		const square = pose[0]! ** 2 + pose[1]! ** 2 + pose[2]! ** 2;
		for (let i = 0; i < 9; i++) {
			const [a, b] = [Math.floor(i / 3), i % 3];
			inertia[i]! += turned[i]! + mass * ((a === b ? square : 0) - pose[a]! * pose[b]!);
		}
		points.push({
			mass,
			com: placePiece({ mass, com, moments: new Array<number>(9).fill(0) }, pose).com as number[],
			moments: [],
		});
	}
	const mass = points.reduce((total, point) => total + point.mass, 0);
	const com =
		mass > 0 ? [0, 1, 2].map((k) => points.reduce((total, p) => total + p.mass * p.com[k]!, 0) / mass) : sum.com;
	return pieceOfInertia(mass, com, inertia);
}

/** Exact for quadratic functions: corners with 1/20, the middle with 4/5 of the signed volume. */
function tetrahedronSamples([a, b, c]: [number[], number[], number[]]): { weight: number; at: number[] }[] {
	const volume = dot(a, cross(b, c)) / 6;
	const middle = [0, 1, 2].map((k) => (a[k]! + b[k]! + c[k]!) / 4);
	return [...[[0, 0, 0], a, b, c].map((at) => ({ weight: volume / 20, at })), { weight: 0.8 * volume, at: middle }];
}

/** Exact for quadratic functions: middles of edges, two Gauss points through the wall. */
function prismSamples([a, b, c]: [number[], number[], number[]], wall: number): { weight: number; at: number[] }[] {
	const normal = cross(subtract(b, a), subtract(c, a));
	const twice = Math.hypot(...(normal as [number, number, number]));
	if (twice === 0) return [];
	const volume = (twice / 2) * 2 * wall;
	const depth = wall / Math.sqrt(3) / twice;
	return [
		[a, b],
		[b, c],
		[c, a],
	].flatMap(([p, q]) =>
		[depth, -depth].map((d) => ({
			weight: volume / 6,
			at: [0, 1, 2].map((k) => (p![k]! + q![k]!) / 2 + d * normal[k]!),
		})),
	);
}

/** The rules of `finalize` for masses and inertias that are not physical. */
export function correctMass(
	mass: number,
	given: readonly number[],
	bounds: { readonly boundMass?: number; readonly boundInertia?: number; readonly balanceInertia?: boolean },
): { mass: number; inertia: number[]; corrected: boolean } {
	if (mass <= 0)
		return {
			mass: 0,
			inertia: new Array<number>(9).fill(0),
			corrected: mass < 0 || given.some((value) => value !== 0),
		};
	const bounded = Math.max(mass, bounds.boundMass ?? 0);
	const symmetric = given.map((value, i) => (value + given[3 * (i % 3) + Math.floor(i / 3)]!) / 2);
	const isAsymmetric = given.some(
		(value, i) => Math.abs(value - symmetric[i]!) > 1e-8 + 1e-5 * Math.abs(symmetric[i]!),
	);
	let lift = 0;
	const [low, middle, high] = eigenvalues(symmetric);
	const floor = Math.max(1e-6 * high, 1e-10);
	if (low < floor) lift = floor - low + 1e-6;
	if (bounds.boundInertia !== undefined && low + lift < bounds.boundInertia) lift = bounds.boundInertia - low;
	const deficit = high - low - middle - lift;
	if (deficit > Math.max(2 ** -23 * (high + lift), 1e-10) && bounds.balanceInertia !== false) lift += deficit + 1e-6;
	return {
		mass: bounded,
		inertia: symmetric.map((value, i) => (i % 4 === 0 ? value + lift : value)),
		corrected: isAsymmetric || lift !== 0 || bounded !== mass,
	};
}

/** Inverse by cofactors. */
export function invert3(m: readonly number[]): number[] {
	const rows = [m.slice(0, 3), m.slice(3, 6), m.slice(6, 9)] as [number[], number[], number[]];
	const columns = [cross(rows[1], rows[2]), cross(rows[2], rows[0]), cross(rows[0], rows[1])];
	const determinant = dot(rows[0], columns[0]!);
	if (determinant === 0) return new Array<number>(9).fill(0);
	return Array.from({ length: 9 }, (_, i) => columns[i % 3]![Math.floor(i / 3)]! / determinant);
}

/** Eigenvalues of a symmetric matrix by the trigonometric formula, ascending. */
function eigenvalues(m: readonly number[]): [number, number, number] {
	const mean = (m[0]! + m[4]! + m[8]!) / 3;
	const off = m[1]! ** 2 + m[2]! ** 2 + m[5]! ** 2;
	const spread = Math.sqrt(((m[0]! - mean) ** 2 + (m[4]! - mean) ** 2 + (m[8]! - mean) ** 2 + 2 * off) / 6);
	if (spread === 0) return [mean, mean, mean];
	const b = m.map((value, i) => (value - (i % 4 === 0 ? mean : 0)) / spread);
	const determinant = dot(b.slice(0, 3), cross(b.slice(3, 6), b.slice(6, 9)));
	const angle = Math.acos(Math.max(-1, Math.min(1, determinant / 2))) / 3;
	const high = mean + 2 * spread * Math.cos(angle);
	const low = mean + 2 * spread * Math.cos(angle + (2 * Math.PI) / 3);
	return [low, 3 * mean - high - low, high];
}

function dot(a: readonly number[], b: readonly number[]): number {
	return a[0]! * b[0]! + a[1]! * b[1]! + a[2]! * b[2]!;
}

function cross(a: readonly number[], b: readonly number[]): number[] {
	return [a[1]! * b[2]! - a[2]! * b[1]!, a[2]! * b[0]! - a[0]! * b[2]!, a[0]! * b[1]! - a[1]! * b[0]!];
}

function subtract(a: readonly number[], b: readonly number[]): number[] {
	return a.map((value, i) => value - b[i]!);
}
