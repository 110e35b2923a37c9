import { type Prim, T } from '@manyworlds/usd';
import { dataOf } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { meshFactsOf } from '../context/mesh-facts-of.ts';
import { numbersOf } from '../geometry/mesh-arrays.ts';
import type { MeshFacts } from '../geometry/mesh-facts.ts';
import type { Reporter } from '../reporter.ts';
import type { Statement } from './statement.ts';

/** REP 3.4: geometry. */
export const SECTION_3_4: readonly Statement[] = [
	{
		id: 'R3.4.1',
		section: '3.4',
		level: 'must',
		check: 'static',
		visit: checkTriangles,
	},
	{ id: 'R3.4.2', section: '3.4', level: 'tool', check: 'behaviour', heldBy: 'packages/convert/test/gltf.test.ts' },
	{
		id: 'R3.4.3',
		section: '3.4',
		level: 'must',
		check: 'static',
		visit: checkHandedness,
	},
	{
		id: 'R3.4.4',
		section: '3.4',
		level: 'must not',
		check: 'static',
		visit: checkDoubleSided,
	},
	{
		id: 'R3.4.5',
		section: '3.4',
		level: 'must',
		check: 'static',
		visit: checkWatertight,
	},
	{ id: 'R3.4.6', section: '3.4', level: 'must', check: 'static', visit: checkSelfIntersections },
];

/** Part of the faces of a mesh whose normals may disagree with their winding before it counts as wrong. */
const WRONG_NORMALS = 0.01;

function eachColliderMesh(context: CheckContext, visit: (mesh: Prim, facts: MeshFacts) => void): void {
	for (const mesh of context.lists.colliders) {
		if (mesh.typeName !== 'Mesh') continue;
		const facts = meshFactsOf(context, mesh);
		if (facts !== undefined) visit(mesh, facts);
	}
}

function checkTriangles(context: CheckContext, report: Reporter): void {
	eachColliderMesh(context, (mesh, { arrays }) => {
		const { counts } = arrays;
		let others = 0;
		let largest = 0;
		for (let i = 0; i < counts.length; i++) {
			if (counts[i] === 3) continue;
			others++;
			if (counts[i]! > largest) largest = counts[i]!;
		}
		if (others === 0) return;
		const message = `${others} of ${counts.length} faces of the collider ${mesh.path} are no triangles, the largest has ${largest} corners: expected triangles`;
		report.add(context.at(mesh.attribute('faceVertexCounts')), message);
	});
}

function checkHandedness(context: CheckContext, report: Reporter): void {
	for (const mesh of context.lists.meshes) {
		const orientation = mesh.attribute('orientation');
		if (dataOf(orientation.get(), T.token) !== 'leftHanded') continue;
		report.add(context.at(orientation), `the orientation of ${mesh.path} is leftHanded, expected rightHanded`);
	}
}

function checkDoubleSided(context: CheckContext, report: Reporter): void {
	for (const mesh of context.lists.meshes) {
		const attribute = mesh.attribute('doubleSided');
		if (dataOf(attribute.get(), T.bool) !== true) continue;
		const facts = meshFactsOf(context, mesh);
		const fault = facts && windingFault(mesh, facts);
		if (fault === undefined) continue;
		report.add(context.at(attribute), `${mesh.path} is doubleSided and ${fault}, expected faces that look outwards`);
	}
}

function windingFault(mesh: Prim, facts: MeshFacts): string | undefined {
	const { misorientedEdges } = facts.topology;
	if (misorientedEdges.length > 0)
		return `neighbouring faces at ${misorientedEdges.length} edges are wound in opposite ways`;
	if (facts.isInsideOut) return 'its faces look inwards';
	const wrong = wrongNormals(mesh, facts);
	return wrong > WRONG_NORMALS
		? `the normals of ${Math.round(wrong * 100)} % of its faces are on the back side`
		: undefined;
}

/** Part of the triangles whose authored normals point to the back; 0 without normals. */
function wrongNormals(mesh: Prim, { arrays, triangles }: MeshFacts): number {
	const primvar = mesh.attribute('primvars:normals');
	const attribute = primvar.hasAuthoredValue ? primvar : mesh.attribute('normals');
	const normals = numbersOf(attribute.get());
	if (normals === undefined) return 0;
	const interpolation = dataOf(attribute.metadata('interpolation'), T.token) ?? 'vertex';
	const { points, counts, indices } = arrays;
	const { indices: corners } = triangles.mesh;
	const starts = new Uint32Array(counts.length);
	for (let face = 1; face < counts.length; face++) starts[face] = starts[face - 1]! + counts[face - 1]!;
	let wrong = 0;
	let all = 0;
	for (let triangle = 0; triangle < triangles.faces.length; triangle++) {
		const face = triangles.faces[triangle]!;
		const a = 3 * corners[3 * triangle]!;
		const b = 3 * corners[3 * triangle + 1]!;
		const c = 3 * corners[3 * triangle + 2]!;
		const ux = points[b]! - points[a]!;
		const uy = points[b + 1]! - points[a + 1]!;
		const uz = points[b + 2]! - points[a + 2]!;
		const vx = points[c]! - points[a]!;
		const vy = points[c + 1]! - points[a + 1]!;
		const vz = points[c + 2]! - points[a + 2]!;
		let x = 0;
		let y = 0;
		let z = 0;
		for (let i = starts[face]!; i < starts[face]! + counts[face]!; i++) {
			const element =
				interpolation === 'faceVarying'
					? i
					: interpolation === 'uniform'
						? face
						: interpolation === 'constant'
							? 0
							: indices[i]!;
			x += normals[3 * element] ?? 0;
			y += normals[3 * element + 1] ?? 0;
			z += normals[3 * element + 2] ?? 0;
		}
		all++;
		if (x * (uy * vz - uz * vy) + y * (uz * vx - ux * vz) + z * (ux * vy - uy * vx) < 0) wrong++;
	}
	return all === 0 ? 0 : wrong / all;
}

function checkWatertight(context: CheckContext, report: Reporter): void {
	eachColliderMesh(context, (mesh, facts) => {
		const fault = manifoldFault(facts);
		if (fault === undefined) return;
		report.add(
			context.at(mesh.attribute('faceVertexIndices')),
			`the collider ${mesh.path} ${fault}, expected a closed mesh`,
		);
	});
}

function manifoldFault(facts: MeshFacts): string | undefined {
	if (!facts.arrays.isConsistent) return 'has faces that do not fit its points';
	const { boundaryEdges, nonManifoldEdges, misorientedEdges, nonManifoldVertices } = facts.topology;
	if (boundaryEdges.length > 0) return `is open at ${boundaryEdges.length} edges`;
	if (nonManifoldEdges.length > 0) return `has ${nonManifoldEdges.length} edges with more than two faces`;
	if (misorientedEdges.length > 0) return `has ${misorientedEdges.length} edges whose faces are wound in opposite ways`;
	if (nonManifoldVertices.length > 0) return `has ${nonManifoldVertices.length} points where separate surfaces touch`;
	return facts.isInsideOut ? 'has faces that look inwards' : undefined;
}

function checkSelfIntersections(context: CheckContext, report: Reporter): void {
	eachColliderMesh(context, (mesh, facts) => {
		if (facts.triangles.faces.length > context.thresholds.geometryTriangles) return;
		const crossing = facts.selfIntersection;
		if (crossing === undefined) return;
		const [a, b] = crossing.triangles.map((triangle) => facts.triangles.faces[triangle]!);
		const message = `the faces ${a} and ${b} of the collider ${mesh.path} pass through each other, expected a mesh that does not intersect itself`;
		report.add(context.at(mesh.attribute('points')), message);
	});
}
