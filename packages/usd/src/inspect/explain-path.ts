import { quote } from '@manyworlds/core';
import { Path, PathKind } from '../sdf/path.ts';
import { PopulationMask } from '../usd/population-mask.ts';
import type { Prim } from '../usd/prim.ts';
import type { Stage } from '../usd/stage.ts';
import { type ExplainOptions, type Explanation, explainMetadata, explainPrim, explainProperty } from './explain.ts';

/** Options of {@link explainPath}. @public */
export interface ExplainPathOptions extends ExplainOptions {
	/** Metadata to explain instead of the thing itself. */
	readonly metadata?: string;
}

/** Why there is nothing to explain. @public */
export interface NothingToExplain {
	readonly problem: string;
}

/**
 * Explains what a path names: `/robot/arm.physics:mass` a property, `/robot/arm` a prim, `/robot:kind` metadata of a prim,
 * `/:upAxis` metadata of the stage.
 * @public
 */
export function explainPath(stage: Stage, text: string, options: ExplainPathOptions): Explanation | NothingToExplain {
	const { path, suffix } = parseSubject(text);
	const metadata = options.metadata ?? suffix;
	const isProperty = path?.kind === PathKind.property;
	if (path === undefined || !path.isAbsolute || !(isProperty || path.kind === PathKind.prim || path === Path.root)) {
		return {
			problem: `${quote(text)} is not a path of a prim or property, expected one such as /robot/arm.physics:mass`,
		};
	}
	const primPath = isProperty ? path.parent! : path;
	const prim = primPath === Path.root ? stage.pseudoRoot : stage.prim(primPath);
	if (prim === undefined) return { problem: noPrim(stage, primPath) };
	const property = isProperty ? prim.property(path.name) : undefined;
	if (isProperty && property === undefined) return { problem: noProperty(prim, path.name) };
	if (metadata !== undefined) return explainMetadata(property ?? prim, metadata, options);
	return property === undefined ? explainPrim(prim, options) : explainProperty(property, options);
}

/**
 * The part of a stage that {@link explainPath} needs for a path: the prim and its ancestors, nothing below or beside it. Names of
 * prototypes are numbered over the prims of a stage, and so may differ from those of the whole one.
 * @public
 */
export function explanationMask(text: string): PopulationMask {
	const { path } = parseSubject(text);
	if (path === undefined || !path.isAbsolute) return PopulationMask.all;
	const prim = path.kind === PathKind.property ? path.parent! : path;
	if (prim !== Path.root && prim.kind !== PathKind.prim) return PopulationMask.all;
	return PopulationMask.of([prim.appendChild(NOBODY)]);
}

/** A child that a mask can name so that no other one is there. */
const NOBODY = '_';

function parseSubject(text: string): { readonly path: Path | undefined; readonly suffix: string | undefined } {
	const [, prefix, suffix] = /^(\/[^.:{}[\]]*):(.+)$/.exec(text) ?? [];
	return { path: Path.parse(prefix ?? text), suffix };
}

/** Names that a message offers at most. */
const MOST_OFFERED = 8;

function noPrim(stage: Stage, path: Path): string {
	let at: Path = path;
	let nearest: Prim | undefined;
	while (nearest === undefined && at.parent !== null) {
		at = at.parent;
		nearest = at === Path.root ? stage.pseudoRoot : stage.prim(at);
	}
	const names = (nearest ?? stage.pseudoRoot).children().map(({ name }) => name);
	const missing = path
		.toString()
		.slice(at === Path.root ? 1 : at.toString().length + 1)
		.split('/')[0]!;
	const offer = offered(missing, names);
	return `there is no prim <${path}>: <${at}> has ${offer === '' ? 'no children' : `the children ${offer}`}`;
}

function noProperty(prim: Prim, name: string): string {
	const offer = offered(name, prim.propertyNames());
	return `the prim <${prim.path}> has no property ${quote(name)}${offer === '' ? '' : `; it has ${offer}`}`;
}

/** Names that may have been meant: the similar ones if there are some. */
function offered(wanted: string, names: readonly string[]): string {
	const text = wanted.toLowerCase();
	const last = text.slice(text.lastIndexOf(':') + 1);
	const similar = names.filter((name) => {
		const other = name.toLowerCase();
		return other.includes(last) || text.includes(other.slice(other.lastIndexOf(':') + 1));
	});
	const shown = similar.length > 0 ? similar : names;
	const more = shown.length > MOST_OFFERED ? ` and ${shown.length - MOST_OFFERED} more` : '';
	return (
		shown
			.slice(0, MOST_OFFERED)
			.map((name) => quote(name))
			.join(', ') + more
	);
}
