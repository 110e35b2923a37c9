import {
	copyPrimSpec,
	type Layer,
	ListOp,
	makeValue,
	type Path,
	type Prim,
	type Primvar,
	T,
	type Value,
} from '@manyworlds/usd';
import {
	applyItem,
	boundMaterial,
	dataOf,
	geomSubsets,
	isByOwnArc,
	type SpecSite,
	subsetFamilyType,
	translateToNode,
	unassignedIndices,
} from '@manyworlds/usd/internal';
import { readText } from '../../asset/read-values.ts';
import { THRESHOLDS } from '../../check-options.ts';
import type { RepCode } from '../../diagnostics.ts';
import { numbersOf } from '../../geometry/mesh-arrays.ts';
import { coordinateFacts, coordinatePrimvars } from '../../geometry/texture-coordinates.ts';
import { coordinateName, transformed } from '../../rules/texture-coordinates.ts';
import { materialNetwork, type TextureUse } from '../../shading/material-network.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { definingSite, editSchemas, propertySite, setAttribute } from '../engine/sites.ts';

const FAMILY = 'materialBind';
const TOKEN = /<UDIM>|%\(UDIM\)d/i;
const NUMBER = /(?<=[._])1[0-9]{3}(?=[._])/;
const TOLERANCE: number = THRESHOLDS.uv;

/** F33: one image and one material for each tile of texture coordinates, and coordinates from 0 to 1. */
export const TILES: Fixer = {
	family: 'F33',
	title: 'one material for each tile of texture coordinates',
	rules: ['R3.1.6', 'R3.1.7', 'R3.1.8', 'R3.1.9'],
	safety: 'unsafe',
	apply(session) {
		const meshes = [...session.stage.traverse()].filter((prim) => prim.typeName === 'Mesh').map(({ path }) => path);
		for (const path of meshes) nameSubsets(session, session.stage.prim(path)!);
		splitTiles(session, meshes);
		for (const path of meshes) repeatTextures(session, session.stage.prim(path)!);
	},
};

/** Puts subsets with materials into the family for materials, which they do not overlap in. */
function nameSubsets(session: FixSession, mesh: Prim): void {
	const rule = 'R3.1.8';
	if (!session.wants(rule)) return;
	const bound = geomSubsets(mesh).filter(({ prim }) => prim.relationship('material:binding').hasAuthoredTargets);
	if (bound.length === 0) return;
	const owner = new Map<number, Prim>();
	for (const { prim, indices } of bound) {
		for (const face of indices) {
			const other = owner.get(face);
			if (other !== undefined) {
				const message = `face ${face} is in the subsets ${other.name} and ${prim.name}, and which of them is meant is not told`;
				session.refuse(rule, message, { prim: mesh });
				return;
			}
			owner.set(face, prim);
		}
	}
	for (const { prim, familyName } of bound) {
		if (familyName === FAMILY) continue;
		const value = makeValue(T.token, FAMILY) as Value;
		setAttribute(session, rule, prim, 'familyName', value, { typeName: 'token', variability: 'uniform' });
	}
	const now = session.stage.prim(mesh.path)!;
	const rest = unassignedIndices(now, 'face', FAMILY);
	if (rest.length > 0 && boundMaterial(now) === undefined) {
		session.refuse(rule, `${rest.length} faces are in no subset, and what they look like is not told`, { prim: mesh });
		return;
	}
	if (subsetFamilyType(now, FAMILY) === 'unrestricted') sayFamilyType(session, rule, now, rest.length === 0);
}

function sayFamilyType(session: FixSession, rule: RepCode, mesh: Prim, isWhole: boolean): void {
	const value = makeValue(T.token, isWhole ? 'partition' : 'nonOverlapping') as Value;
	setAttribute(session, rule, mesh, `subsetFamily:${FAMILY}:familyType`, value, {
		typeName: 'token',
		variability: 'uniform',
		site: arraySite(session, mesh),
	});
}

/** Faces of a mesh that one material is on. */
interface FaceGroup {
	/** Undefined for what is in no subset. */
	readonly subset: Path | undefined;
	readonly faces: Int32Array;
	readonly material: Path;
	readonly textures: readonly TextureUse[];
}

/** The tiles of the faces of a mesh. */
interface TiledMesh {
	readonly mesh: Path;
	readonly primvar: string;
	/** UDIM number of each face. */
	readonly tiles: Int32Array;
	readonly groups: readonly FaceGroup[];
}

function splitTiles(session: FixSession, meshes: readonly Path[]): void {
	const found: TiledMesh[] = [];
	for (const path of meshes) {
		const mesh = session.stage.prim(path)!;
		for (const primvar of coordinatePrimvars(mesh)) {
			const tiled = readTiles(session, mesh, primvar);
			if (tiled !== undefined) found.push(tiled);
		}
	}
	const tiles = new Map<Path, Set<number>>();
	for (const { groups, tiles: numbers } of found) {
		for (const { material, faces, textures } of groups) {
			if (!textures.some(({ assetPath }) => isTiledFile(assetPath))) continue;
			const set = tiles.get(material) ?? new Set();
			for (const face of faces) set.add(numbers[face]!);
			tiles.set(material, set);
		}
	}
	const copies = new Map<Path, Map<number, Path>>();
	for (const [material, numbers] of tiles) {
		const made = makeMaterials(
			session,
			material,
			[...numbers].sort((a, b) => a - b),
		);
		if (made !== undefined) copies.set(material, made);
	}
	for (const tiled of found) splitMesh(session, tiled, copies);
}

function isTiledFile(assetPath: string): boolean {
	return TOKEN.test(assetPath) || NUMBER.test(assetPath);
}

/** The tiles of a mesh when it has to be divided; undefined when it is fine, or when the reason why it cannot be has been told. */
function readTiles(session: FixSession, mesh: Prim, primvar: Primvar): TiledMesh | undefined {
	const facts = coordinateFacts(mesh, primvar, TOLERANCE);
	if (facts === undefined) return undefined;
	const groups = faceGroups(mesh, primvar.name);
	const hasTokens = groups.some(({ textures }) => textures.some(({ assetPath }) => TOKEN.test(assetPath)));
	if (!facts.isTiled && !hasTokens) {
		const isOutside = [...facts.min, ...facts.max].some((x) => x < -TOLERANCE || x > 1 + TOLERANCE);
		if (isOutside && groups.every(({ textures }) => textures.length === 0)) {
			const message = `no texture reads its coordinates ${primvar.name}, so what they are meant for is not told`;
			session.refuse('R3.1.7', message, { prim: mesh });
		}
		return undefined;
	}
	const rule: RepCode =
		hasTokens || groups.some(({ textures }) => textures.some((use) => isTiledFile(use.assetPath)))
			? 'R3.1.6'
			: 'R3.1.7';
	if (!session.wants(rule)) return undefined;
	const tiles = faceTiles(mesh, primvar);
	const reason = typeof tiles === 'string' ? tiles : obstacle(session, mesh, primvar, groups);
	if (reason !== undefined) {
		session.refuse(rule, `its coordinates ${primvar.name} cannot be brought into one tile: ${reason}`, { prim: mesh });
		return undefined;
	}
	return { mesh: mesh.path, primvar: primvar.name, tiles: tiles as Int32Array, groups };
}

function faceGroups(mesh: Prim, primvar: string): FaceGroup[] {
	const groups: FaceGroup[] = [];
	const add = (subset: Prim | undefined, faces: Int32Array): void => {
		const material = boundMaterial(subset ?? mesh)?.material;
		if (faces.length === 0) return;
		const textures =
			material === undefined
				? []
				: materialNetwork(material).textures.filter(({ shader }) => coordinateName(shader) === primvar);
		groups.push({ subset: subset?.path, faces, material: material?.path ?? mesh.path, textures });
	};
	const subsets = geomSubsets(mesh, { familyName: FAMILY });
	for (const { prim, indices } of subsets) add(prim, indices);
	add(undefined, Int32Array.from(unassignedIndices(mesh, 'face', FAMILY)));
	return groups;
}

/** The value of a primvar that each corner takes. */
function cornerValues(mesh: Prim, primvar: Primvar): Int32Array | string {
	const corners = dataOf(mesh.attribute('faceVertexIndices').get(), T.int.array);
	const { interpolation } = primvar;
	if (corners === undefined) return 'it has no faces';
	if (!['vertex', 'varying', 'faceVarying'].includes(interpolation)) return `their interpolation is ${interpolation}`;
	const lookup = primvar.isIndexed ? dataOf(primvar.indicesAttribute.get(), T.int.array) : undefined;
	return Int32Array.from(corners, (point, corner) => {
		const element = interpolation === 'faceVarying' ? corner : point;
		return lookup === undefined ? element : (lookup[element] ?? -1);
	});
}

/** The UDIM number of each face, or why one has none. */
function faceTiles(mesh: Prim, primvar: Primvar): Int32Array | string {
	const values = numbersOf(primvar.attribute.get())!;
	const counts = dataOf(mesh.attribute('faceVertexCounts').get(), T.int.array)!;
	const used = cornerValues(mesh, primvar);
	if (typeof used === 'string') return used;
	const tiles = new Int32Array(counts.length);
	let corner = 0;
	for (let face = 0; face < counts.length; face++) {
		const box = [
			Number.POSITIVE_INFINITY,
			Number.POSITIVE_INFINITY,
			Number.NEGATIVE_INFINITY,
			Number.NEGATIVE_INFINITY,
		];
		for (let i = 0; i < counts[face]!; i++, corner++) {
			for (let axis = 0; axis < 2; axis++) {
				const value = values[2 * used[corner]! + axis] ?? 0;
				box[axis] = Math.min(box[axis]!, value);
				box[2 + axis] = Math.max(box[2 + axis]!, value);
			}
		}
		const [u, v] = [Math.floor(box[0]! + TOLERANCE), Math.floor(box[1]! + TOLERANCE)];
		if (box[2]! > u + 1 + TOLERANCE || box[3]! > v + 1 + TOLERANCE) return `face ${face} reaches over several tiles`;
		if (u < 0 || u > 9 || v < 0) return `face ${face} lies in no tile (${u}, ${v})`;
		tiles[face] = 1001 + u + 10 * v;
	}
	return tiles;
}

/** Why the coordinates of a mesh cannot change. */
function obstacle(session: FixSession, mesh: Prim, primvar: Primvar, groups: readonly FaceGroup[]): string | undefined {
	const site = propertySite(session, mesh, primvar.attribute.name);
	if (site === undefined) return 'no layer that may be edited has them';
	if (primvar.attribute.timeSamples().length > 0) return 'they change with time';
	let users = 0;
	for (const prim of session.stage.traverse({ instanceProxies: true })) {
		if (prim.typeName === 'Mesh' && prim.specs().some(({ layer, path }) => layer === site.layer && path === site.path))
			users++;
	}
	if (users > 1) return `${users} meshes are made of the same`;
	for (const { textures } of groups) {
		for (const { shader, assetPath } of textures) {
			if (isTiledFile(assetPath) || (wrapOf(shader, 'wrapS') === 'repeat' && wrapOf(shader, 'wrapT') === 'repeat'))
				continue;
			return `'${assetPath}' is read there, which does not repeat`;
		}
	}
	return undefined;
}

function wrapOf(shader: Prim, name: 'wrapS' | 'wrapT'): string {
	return readText(shader, `inputs:${name}`) ?? 'useMetadata';
}

/** One material for each tile, the first of them the one that was there. Undefined, with the reason told, when one has no image. */
function makeMaterials(session: FixSession, path: Path, tiles: readonly number[]): Map<number, Path> | undefined {
	const rule = 'R3.1.6';
	const material = session.stage.prim(path)!;
	const files = materialNetwork(material)
		.textures.filter(({ assetPath }) => isTiledFile(assetPath))
		.map(({ file, assetPath }) => ({
			prim: file.prim.path,
			name: file.name,
			assetPath,
			anchor: file.resolveInfo('default').site!.layer,
		}));
	const sites = material.specs().filter(({ node }) => !isByOwnArc(node));
	const reason = materialObstacle(session, path, tiles, files, sites);
	if (reason !== undefined) {
		session.refuse(rule, `its tiles cannot become materials: ${reason}`, { prim: path });
		return undefined;
	}
	const made = new Map<number, Path>();
	for (const [i, tile] of tiles.entries()) {
		const copy = i === 0 ? path : freeSibling(session, path, `${path.name}_${tile}`);
		if (copy !== path) {
			for (const { layer, path: from } of sites) {
				session.edit(rule, layer, () => copyPrimSpec(layer, from, from.parent!.appendChild(copy.name)));
			}
		}
		made.set(tile, copy);
	}
	for (const [tile, copy] of made) {
		for (const { prim, name, assetPath } of files) {
			const value = makeValue(T.asset, tileFile(assetPath, tile)) as Value;
			const target = session.stage.prim(prim.replacePrefix(path, copy))!;
			setAttribute(session, rule, target, name, value, { typeName: 'asset' });
		}
	}
	return made;
}

function tileFile(assetPath: string, tile: number): string {
	return TOKEN.test(assetPath) ? assetPath.replace(TOKEN, String(tile)) : assetPath.replace(NUMBER, String(tile));
}

function materialObstacle(
	session: FixSession,
	path: Path,
	tiles: readonly number[],
	files: readonly { prim: Path; assetPath: string; anchor: Layer }[],
	sites: readonly SpecSite[],
): string | undefined {
	for (const { layer } of sites)
		if (!session.isEditable(layer)) return `${layer.identifier} cannot be changed from here`;
	for (const { prim, assetPath, anchor } of files) {
		if (!prim.hasPrefix(path)) return `<${prim}>, which names an image, lies outside of it`;
		for (const tile of tiles) {
			const { identifier } = session.store.identify(tileFile(assetPath, tile), anchor.identifier);
			if (session.readFile(identifier) === undefined) return `'${tileFile(assetPath, tile)}' is not there`;
		}
	}
	return undefined;
}

function freeSibling(session: FixSession, path: Path, wish: string): Path {
	let found = path.parent!.appendChild(wish);
	for (let i = 2; session.stage.prim(found) !== undefined; i++) found = path.parent!.appendChild(`${wish}_${i}`);
	return found;
}

function splitMesh(session: FixSession, tiled: TiledMesh, copies: ReadonlyMap<Path, ReadonlyMap<number, Path>>): void {
	const isReady = tiled.groups.every(
		({ material, textures }) => copies.has(material) || !textures.some(({ assetPath }) => isTiledFile(assetPath)),
	);
	if (!isReady) return;
	const hasMaterials = tiled.groups.some(({ material }) => copies.has(material));
	const rule: RepCode = hasMaterials ? 'R3.1.6' : 'R3.1.7';
	shiftCoordinates(session, rule, tiled);
	for (const group of tiled.groups) {
		const materials = copies.get(group.material);
		if (materials !== undefined) divideGroup(session, tiled, group, materials);
	}
}

/** Moves the coordinates of each face into the first tile. */
function shiftCoordinates(session: FixSession, rule: RepCode, { mesh: path, primvar: name, tiles }: TiledMesh): void {
	const mesh = session.stage.prim(path)!;
	const primvar = coordinatePrimvars(mesh).find((candidate) => candidate.name === name)!;
	const value = primvar.attribute.get()!;
	const values = Array.from(numbersOf(value)!);
	const counts = dataOf(mesh.attribute('faceVertexCounts').get(), T.int.array)!;
	const used = cornerValues(mesh, primvar) as Int32Array;
	const places = new Map<string, number>();
	const tileOf = new Map<number, number>();
	const shifted: number[] = [];
	const lookup = new Int32Array(used.length);
	let isShared = false;
	let corner = 0;
	for (let face = 0; face < counts.length; face++) {
		const tile = tiles[face]!;
		const [u, v] = [(tile - 1001) % 10, Math.floor((tile - 1001) / 10)];
		for (let i = 0; i < counts[face]!; i++, corner++) {
			const index = used[corner]!;
			isShared ||= (tileOf.get(index) ?? tile) !== tile;
			tileOf.set(index, tile);
			const key = `${index} ${tile}`;
			let place = places.get(key);
			if (place === undefined) {
				place = shifted.length / 2;
				places.set(key, place);
				shifted.push(values[2 * index]! - u, values[2 * index + 1]! - v);
			}
			lookup[corner] = place;
		}
	}
	const site = propertySite(session, mesh, primvar.attribute.name)!;
	const property = site.path.appendProperty(primvar.attribute.name);
	const rebuilt = (numbers: readonly number[]): Value =>
		({
			type: value.type,
			data: value.data instanceof Float64Array ? Float64Array.from(numbers) : Float32Array.from(numbers),
		}) as Value;
	if (!isShared) {
		for (const [index, tile] of tileOf) {
			values[2 * index] = values[2 * index]! - ((tile - 1001) % 10);
			values[2 * index + 1] = values[2 * index + 1]! - Math.floor((tile - 1001) / 10);
		}
		session.edit(rule, site.layer, (layer) => layer.setField(property, 'default', rebuilt(values)));
		return;
	}
	// a value that two tiles share becomes two
	const indices = site.path.appendProperty(`${primvar.attribute.name}:indices`);
	session.edit(rule, site.layer, (layer) => {
		layer.setField(property, 'default', rebuilt(shifted));
		layer.setField(property, 'interpolation', makeValue(T.token, 'faceVarying') as Value);
		if (!layer.has(indices)) layer.createAttribute(indices, 'int[]');
		layer.setField(indices, 'default', makeValue(T.int.array, lookup) as Value);
	});
}

/** Gives each tile of a group its material, by subsets when there are several. */
function divideGroup(
	session: FixSession,
	{ mesh, tiles }: TiledMesh,
	{ subset, faces }: FaceGroup,
	materials: ReadonlyMap<number, Path>,
): void {
	const rule = 'R3.1.6';
	const byTile = new Map<number, number[]>();
	for (const face of faces) byTile.set(tiles[face]!, [...(byTile.get(tiles[face]!) ?? []), face]);
	const ordered = [...byTile].sort((a, b) => a[0] - b[0]);
	const [only] = ordered;
	if (ordered.length === 1) {
		bind(session, rule, subset ?? mesh, materials.get(only![0])!);
		return;
	}
	for (const [i, [tile, list]] of ordered.entries()) {
		const path =
			i === 0 && subset !== undefined
				? subset
				: freeSibling(session, mesh.appendChild('tile'), `${subset?.name ?? 'tile'}_${tile}`);
		writeSubset(session, rule, mesh, path, list);
		bind(session, rule, path, materials.get(tile)!);
	}
	const now = session.stage.prim(mesh)!;
	if (subsetFamilyType(now, FAMILY) === 'unrestricted')
		sayFamilyType(session, rule, now, unassignedIndices(now, 'face', FAMILY).length === 0);
}

/** The spec that has the faces of a mesh. */
function arraySite(session: FixSession, mesh: Prim): SpecSite | undefined {
	return propertySite(session, mesh, 'faceVertexIndices') ?? definingSite(session, mesh);
}

function writeSubset(session: FixSession, rule: RepCode, mesh: Path, path: Path, faces: readonly number[]): void {
	const present = session.stage.prim(path);
	const value = makeValue(T.int.array, Int32Array.from(faces)) as Value;
	if (present !== undefined) {
		setAttribute(session, rule, present, 'indices', value, { typeName: 'int[]' });
		return;
	}
	const site = arraySite(session, session.stage.prim(mesh)!)!;
	const own = site.path.appendChild(path.name);
	session.edit(rule, site.layer, (layer) => {
		layer.createPrim(own, { specifier: 'def', typeName: 'GeomSubset' });
		const put = (name: string, type: string, content: Value, variability: 'uniform' | 'varying'): void => {
			layer.createAttribute(own.appendProperty(name), type, { variability });
			layer.setField(own.appendProperty(name), 'default', content);
		};
		put('elementType', 'token', makeValue(T.token, 'face') as Value, 'uniform');
		put('familyName', 'token', makeValue(T.token, FAMILY) as Value, 'uniform');
		put('indices', 'int[]', value, 'varying');
	});
}

/** Binds a material where a layer knows both: that of the binding that is there, if it can. */
function bind(session: FixSession, rule: RepCode, path: Path, material: Path): void {
	const prim = session.stage.prim(path)!;
	if (boundMaterial(prim)?.material.path === material && prim.relationship('material:binding').hasAuthoredTargets)
		return;
	const owner = prim.typeName === 'GeomSubset' ? prim.parent! : prim;
	const bound = boundMaterial(prim)?.binding.prim;
	const preferred = bound === undefined ? undefined : propertySite(session, bound, 'material:binding')?.layer;
	const sites = owner
		.specs()
		.filter(({ layer, node }) => session.isEditable(layer) && translateToNode(node.mapToRoot, material) !== undefined);
	const site = sites.find(({ layer }) => layer === preferred) ?? sites[0];
	if (site === undefined) {
		session.refuse(rule, `no layer that may be edited has both it and <${material}>`, { prim });
		return;
	}
	const own = prim === owner ? site.path : site.path.appendChild(path.name);
	const target = translateToNode(site.node.mapToRoot, material)!;
	const relationship = own.appendProperty('material:binding');
	session.edit(rule, site.layer, (layer) => {
		if (!layer.has(own)) layer.createPrim(own);
		if (!layer.has(relationship)) layer.createRelationship(relationship);
		layer.setField(relationship, 'targetPaths', makeValue(T.pathListOp, ListOp.explicit([target])) as Value);
	});
	if (session.stage.prim(path)!.authoredSchemas?.includes('MaterialBindingAPI') !== true)
		editSchemas(session, rule, { layer: site.layer, path: own }, (op) => applyItem(op, 'MaterialBindingAPI'));
}

/** Lets textures repeat that are read outside of the unit square and do not say what is there. */
function repeatTextures(session: FixSession, mesh: Prim): void {
	const rule = 'R3.1.9';
	if (!session.wants(rule)) return;
	for (const primvar of coordinatePrimvars(mesh)) {
		const facts = coordinateFacts(mesh, primvar, TOLERANCE);
		if (facts === undefined || facts.isTiled) continue;
		for (const { textures } of faceGroups(mesh, primvar.name)) {
			for (const { shader } of textures) {
				const { min, max } = transformed(shader, facts);
				const isOutside = (axis: 0 | 1): boolean => min[axis] < -TOLERANCE || max[axis] > 1 + TOLERANCE;
				for (const [axis, name] of [
					[0, 'wrapS'],
					[1, 'wrapT'],
				] as const) {
					const wrap = wrapOf(shader, name);
					if (!isOutside(axis) || wrap === 'repeat' || wrap === 'mirror') continue;
					if (wrap !== 'useMetadata') {
						const message = `${name} is ${wrap}, which somebody chose, and coordinates of <${mesh.path}> lie outside of 0 to 1`;
						session.refuse(rule, message, { prim: shader });
						continue;
					}
					const value = makeValue(T.token, 'repeat') as Value;
					setAttribute(session, rule, session.stage.prim(shader.path)!, `inputs:${name}`, value, { typeName: 'token' });
				}
			}
		}
	}
}
