import { quote } from '@manyworlds/core';
import { readXml, type XmlElement } from '@manyworlds/core/internal';
import { identityMatrix, multiplyMatrices, rotationMatrix } from '../matrix.ts';
import { transformMesh } from '../transform-mesh.ts';
import type { TriangleMesh } from '../triangle-mesh.ts';
import { DaeDocument } from './dae-document.ts';
import { readDaeGeometry } from './dae-geometry.ts';
import { readDaeMaterials } from './dae-materials.ts';
import { fileMatrix, type MeshFile, MeshReadContext, type ReadMeshOptions } from './mesh-file.ts';

/**
 * Reads the meshes of a COLLADA file, placed as its visual scene places them. Every instance of a geometry becomes a mesh,
 * every primitive element a run of triangles with its material. The unit and the up axis are given and, when asked,
 * applied. Skins, morphs, animations and curves are reported.
 */
export function readDae(bytes: Uint8Array, options: ReadMeshOptions = {}): MeshFile {
	const context = new MeshReadContext(bytes, options);
	const { root } = readXml(bytes, context.xmlOptions);
	if (root === undefined || root.name !== 'COLLADA') {
		const found = root === undefined ? 'no element' : `the root element ${quote(root.name)}`;
		context.addAt('MESH002', `found ${found}, expected 'COLLADA'`, 0, 0);
		return { format: 'dae', meshes: [], materialLibraries: [] };
	}
	const document = new DaeDocument(context, root);
	const { metersPerUnit, upAxis } = readAsset(document, root);
	const matrix = fileMatrix(options, metersPerUnit, upAxis);
	const meshes = placeMeshes(document, root, matrix ?? identityMatrix());
	reportOthers(document, root);
	return { format: 'dae', meshes, materialLibraries: [], materials: readDaeMaterials(root), metersPerUnit, upAxis };
}

const NODE_TRANSFORMS = new Set(['matrix', 'translate', 'rotate', 'scale', 'lookat', 'skew']);
const QUIET_NODE_CHILDREN = new Set(['node', 'instance_geometry', 'instance_node', 'asset', 'extra']);
const MATRIX_SIZES: Readonly<Record<string, number>> = {
	matrix: 16,
	translate: 3,
	rotate: 4,
	scale: 3,
	lookat: 9,
	skew: 7,
};

function readAsset(
	document: DaeDocument,
	root: XmlElement,
): { readonly metersPerUnit: number; readonly upAxis: 'X' | 'Y' | 'Z' } {
	const asset = root.child('asset');
	const unit = asset?.child('unit');
	const up = asset?.child('up_axis');
	let metersPerUnit = 1;
	if (unit !== undefined) {
		const text = unit.get('meter') ?? '1';
		const value = Number(text);
		if (value > 0 && Number.isFinite(value)) metersPerUnit = value;
		else document.add('MESH003', `unit is ${quote(text)} metres, expected a positive number; 1 is taken`, unit);
		if (metersPerUnit !== 1) document.add('MESH015', `the unit is ${metersPerUnit} m`, unit);
	}
	// COLLADA 1.4: Y_UP when absent
	let upAxis: 'X' | 'Y' | 'Z' = 'Y';
	const text = up?.text.trim() ?? 'Y_UP';
	if (text === 'X_UP' || text === 'Y_UP' || text === 'Z_UP') upAxis = text[0] as 'X' | 'Y' | 'Z';
	else if (up !== undefined) document.add('MESH003', `up_axis is ${quote(text)}, expected X_UP, Y_UP or Z_UP`, up);
	if (upAxis !== 'Z') {
		document.add(
			'MESH015',
			up === undefined ? 'no up axis is stated, which means Y' : `the up axis is ${upAxis}`,
			up ?? root,
		);
	}
	return { metersPerUnit, upAxis };
}

/** Walks the scene without recursion and gives a mesh for each instance of a geometry. */
function placeMeshes(document: DaeDocument, root: XmlElement, base: Float64Array): TriangleMesh[] {
	const scene = findScene(document, root);
	const meshes: TriangleMesh[] = [];
	const cache = new Map<XmlElement, TriangleMesh | undefined>();
	const emit = (geometry: XmlElement, matrix: Float64Array, instance: XmlElement, name: string | undefined): void => {
		const mesh = cache.has(geometry) ? cache.get(geometry) : readDaeGeometry(document, geometry);
		cache.set(geometry, mesh);
		if (mesh === undefined || mesh.indices.length === 0) return;
		const own = name === undefined ? mesh : { ...mesh, name };
		meshes.push(bindMaterials(document.isPlaced(matrix) ? transformMesh(own, matrix) : own, instance));
	};
	if (scene === undefined) {
		for (const library of root.childrenNamed('library_geometries')) {
			for (const geometry of library.childrenNamed('geometry')) emit(geometry, base, geometry, undefined);
		}
		return meshes;
	}
	interface Visit {
		readonly node: XmlElement;
		readonly parent: Float64Array;
		/** Nodes instanced on the way here. */
		readonly trail: readonly XmlElement[];
	}
	const stack: Visit[] = scene
		.childrenNamed('node')
		.reverse()
		.map((node) => ({ node, parent: base, trail: [] }));
	while (stack.length > 0) {
		const { node, parent, trail } = stack.pop()!;
		const matrix = multiplyMatrices(nodeMatrix(document, node), parent);
		const name = node.get('name') ?? node.get('id');
		const below: Visit[] = [];
		for (const child of node.children) {
			if (child.name === 'node') below.push({ node: child, parent: matrix, trail });
			else if (child.name === 'instance_geometry') {
				const geometry = document.find(child, 'url', 'geometry');
				if (geometry !== undefined) emit(geometry, matrix, child, name);
			} else if (child.name === 'instance_node') {
				const target = document.find(child, 'url', 'node');
				if (target === undefined) continue;
				if (trail.includes(target) || trail.length > 64) {
					document.add('MESH014', 'a node instances itself, expected a tree of nodes', child);
				} else below.push({ node: target, parent: matrix, trail: [...trail, target] });
			} else if (!NODE_TRANSFORMS.has(child.name) && !QUIET_NODE_CHILDREN.has(child.name)) {
				document.add('MESH006', `${quote(child.name)} of a node is not read`, child);
			}
		}
		for (let i = below.length - 1; i >= 0; i--) stack.push(below[i]!);
	}
	return meshes;
}

function findScene(document: DaeDocument, root: XmlElement): XmlElement | undefined {
	const scene = root.child('scene');
	const instance = scene?.child('instance_visual_scene');
	const stated = instance === undefined ? undefined : document.find(instance, 'url', 'visual_scene');
	if (stated !== undefined) return stated;
	const library = root.child('library_visual_scenes');
	const first = library?.child('visual_scene');
	const place = scene ?? root;
	if (first !== undefined) document.add('MESH014', 'the file names no scene, expected one; its first is taken', place);
	else document.add('MESH014', 'the file has no scene, expected one; geometries are taken as they are', place);
	return first;
}

/** Transforms of a node in their order: the last one is applied first (COLLADA 1.4, node). */
function nodeMatrix(document: DaeDocument, node: XmlElement): Float64Array {
	let local = identityMatrix();
	for (const child of node.children) {
		if (!NODE_TRANSFORMS.has(child.name)) continue;
		const v = document.measures(child);
		const expected = MATRIX_SIZES[child.name]!;
		if (v.length !== expected || !v.every(Number.isFinite)) {
			document.add('MESH003', `${child.name} has ${v.length} numbers, expected ${expected} finite ones`, child);
			continue;
		}
		const step = transformStep(child.name, v);
		if (step === undefined) document.add('MESH006', `${quote(child.name)} of a node is not applied`, child);
		else local = multiplyMatrices(step, local);
	}
	return local;
}

function transformStep(name: string, v: Float64Array): Float64Array | undefined {
	switch (name) {
		case 'matrix':
			// written for columns on the right: transposed
			return Float64Array.from({ length: 16 }, (_, i) => v[(i % 4) * 4 + Math.floor(i / 4)]!);
		case 'translate':
			return Float64Array.of(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, v[0]!, v[1]!, v[2]!, 1);
		case 'rotate':
			return rotationMatrix(v[0]!, v[1]!, v[2]!, (v[3]! * Math.PI) / 180);
		case 'scale':
			return Float64Array.of(v[0]!, 0, 0, 0, 0, v[1]!, 0, 0, 0, 0, v[2]!, 0, 0, 0, 0, 1);
		default:
			return undefined;
	}
}

/** Replaces material symbols by the materials that an instance binds to them. */
function bindMaterials(mesh: TriangleMesh, instance: XmlElement): TriangleMesh {
	if (mesh.groups === undefined) return mesh;
	const bind = instance.child('bind_material');
	const common = bind?.child('technique_common');
	const targets = new Map<string, string>();
	for (const material of common === undefined ? [] : common.childrenNamed('instance_material')) {
		const symbol = material.get('symbol');
		const target = material.get('target');
		if (symbol !== undefined && target !== undefined) targets.set(symbol, target.replace(/^#/, ''));
	}
	const groups = mesh.groups.map((group) =>
		group.material === undefined ? group : { ...group, material: targets.get(group.material) ?? group.material },
	);
	return { ...mesh, groups };
}

const OTHER_LIBRARIES = new Set([
	'library_animations',
	'library_animation_clips',
	'library_controllers',
	'library_force_fields',
	'library_physics_models',
	'library_physics_scenes',
	'library_kinematics_models',
	'library_articulated_systems',
	'library_joints',
]);

function reportOthers(document: DaeDocument, root: XmlElement): void {
	for (const child of root.children) {
		if (OTHER_LIBRARIES.has(child.name) && child.children.length > 0) {
			document.add('MESH006', `${quote(child.name)} is not read`, child);
		}
	}
}
