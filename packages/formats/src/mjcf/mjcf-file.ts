import type { XmlElement } from '@manyworlds/core/internal';

/** Folders in which a file looks for its assets. @public */
export interface AssetFolders {
	readonly mesh: string;
	readonly texture: string;
	readonly stripPath: boolean;
}

/** One of the files that a model is made of. @public */
export interface MjcfFile {
	/** Name that paths are resolved from; undefined for text without a place. */
	readonly file: string | undefined;
	/** Of the first `compiler` element of this file alone. */
	readonly folders: AssetFolders;
}

/** The folders that a `compiler` element gives. */
export function foldersOf(compiler: Pick<XmlElement, 'get'> | undefined): AssetFolders {
	const asset = compiler?.get('assetdir');
	const mesh = compiler?.get('meshdir') ?? asset ?? '';
	const texture = compiler?.get('texturedir') ?? asset ?? mesh;
	const strip = (compiler?.get('strippath') ?? 'false').toLowerCase();
	return { mesh, texture, stripPath: strip === 'true' || strip === '1' };
}

/** A place where an asset may be. @public */
export interface AssetPlace {
	readonly path: string;
	/** File that the path is relative to. */
	readonly from: string | undefined;
}

/**
 * Where the asset named in `owner` may be, the most likely place first: by the folders of that file, as Newton takes them,
 * then by those of the whole model seen from the main file, as MuJoCo does.
 */
export function assetPlaces(
	path: string,
	kind: 'mesh' | 'texture',
	owner: MjcfFile,
	main: MjcfFile,
	merged: AssetFolders,
): AssetPlace[] {
	const places: AssetPlace[] = [];
	const add = (folders: AssetFolders, from: string | undefined): void => {
		const plain = path.replaceAll('\\', '/');
		const name = folders.stripPath ? plain.slice(plain.lastIndexOf('/') + 1) : plain;
		const place = { path: joinFolder(folders[kind], name), from };
		if (!places.some((other) => other.path === place.path && other.from === from)) places.push(place);
	};
	add(owner.folders, owner.file);
	add(merged, main.file);
	add(merged, owner.file);
	return places;
}

function joinFolder(folder: string, path: string): string {
	const isAbsolute = path.startsWith('/') || /^[A-Za-z]:/.test(path) || /^[a-z]+:\/\//i.test(path);
	if (isAbsolute || folder === '' || folder === '.' || folder === './') return path;
	return folder.endsWith('/') ? folder + path : `${folder}/${path}`;
}
