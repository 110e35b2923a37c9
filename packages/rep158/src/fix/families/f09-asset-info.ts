import { type Dictionary, makeValue, Path, type Prim, T, type Value } from '@manyworlds/usd';
import { dataOf, EMPTY_DICTIONARY, isIdentifier } from '@manyworlds/usd/internal';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { setPrimField } from '../engine/sites.ts';

/** F9: the default prim of the root layer, and what `assetInfo` has to say about it (REP 1.2.5). */
export const ASSET_INFO: Fixer = {
	family: 'F9',
	title: 'default prim and asset info',
	rules: ['R1.2.5.1', 'R1.2.5.2', 'R1.2.5.3', 'R1.2.5.4'],
	safety: 'safe',
	apply(session) {
		fixDefaultPrim(session);
		const prim = session.stage.defaultPrim;
		if (prim === undefined) return;
		fixIdentifier(session, prim);
		fixVersion(session);
		fixPackage(session);
	},
};

/** Names the only root prim that could be meant. */
function fixDefaultPrim(session: FixSession): void {
	const { stage, rootLayer } = session;
	if (stage.defaultPrim !== undefined && rootLayer.field(Path.root, 'defaultPrim') !== undefined) return;
	const roots = stage.pseudoRoot.children().filter((prim) => prim.isActive && prim.isDefined && !prim.isAbstract);
	const candidates = roots.filter((prim) => prim.isA('Xform'));
	const choices = candidates.length > 0 ? candidates : roots.filter((prim) => !prim.isA('PhysicsScene'));
	if (choices.length !== 1) {
		const names = choices.map((prim) => prim.name).join(', ') || 'none';
		session.refuse('R1.2.5.1', `several or no root prims could be the default prim (${names})`, { layer: rootLayer });
		return;
	}
	const value = makeValue(T.token, choices[0]!.name) as Value;
	session.edit('R1.2.5.1', rootLayer, (layer) => layer.setField(Path.root, 'defaultPrim', value));
}

function fixIdentifier(session: FixSession, prim: Prim): void {
	const present = infoOf(session).get('identifier');
	// an asset path will do unless somebody says better (C19)
	const isReplaced = present?.type === (T.asset as Value['type']) && session.parameters.identifier !== undefined;
	if (typeof present?.data === 'string' && present.data !== '' && !isReplaced) return;
	const name = session.parameters.identifier ?? fileStem(session.rootLayer.identifier) ?? prim.name;
	setInfo(session, 'R1.2.5.2', 'identifier', makeValue(T.string, name) as Value);
}

function fixVersion(session: FixSession): void {
	const present = infoOf(session).get('version');
	if (typeof present?.data === 'string' && present.data !== '' && present.type === (T.string as typeof present.type)) {
		return;
	}
	const { version } = session.parameters;
	if (version !== undefined) setInfo(session, 'R1.2.5.3', 'version', makeValue(T.string, version) as Value);
	else {
		const prim = session.stage.defaultPrim!;
		session.ask('R1.2.5.3', 'asset-version VERSION', 'assetInfo has no version, and only you know it', { prim });
	}
}

/** Says which ROS package the asset is from, when that is given. */
function fixPackage(session: FixSession): void {
	const { packageUri } = session.parameters;
	const ros = dataOf(infoOf(session).get('ros'), T.dictionary) ?? EMPTY_DICTIONARY;
	if (packageUri === undefined || ros.has('package_uri')) return;
	const entry = makeValue(T.string, packageUri) as Value;
	setInfo(session, 'R1.2.5.4', 'ros', makeValue(T.dictionary, new Map([...ros, ['package_uri', entry]])) as Value);
}

function infoOf(session: FixSession): Dictionary {
	return dataOf(session.stage.defaultPrim?.metadata('assetInfo'), T.dictionary) ?? EMPTY_DICTIONARY;
}

/** Sets one entry in the layer that has the default prim's asset info, so that the other entries there stay. */
function setInfo(session: FixSession, rule: 'R1.2.5.2' | 'R1.2.5.3' | 'R1.2.5.4', key: string, value: Value): void {
	const prim = session.stage.defaultPrim!;
	const site =
		prim.specs().find(({ layer, path }) => session.isEditable(layer) && layer.field(path, 'assetInfo') !== undefined) ??
		prim.specs().find(({ layer }) => layer === session.rootLayer);
	const own = dataOf(site?.layer.field(site.path, 'assetInfo'), T.dictionary) ?? EMPTY_DICTIONARY;
	const info = new Map(
		[...own, [key, value]].sort((a, b) => ((a[0] as string) < (b[0] as string) ? -1 : 1)) as [string, Value][],
	);
	setPrimField(session, rule, prim, 'assetInfo', makeValue(T.dictionary, info) as Value, site);
}

/** Name of a file without folder and extension, if it can serve as an identifier. */
function fileStem(identifier: string): string | undefined {
	const stem = identifier
		.split('/')
		.at(-1)!
		.replace(/\.[^.]*$/, '');
	return isIdentifier(stem) ? stem : undefined;
}
