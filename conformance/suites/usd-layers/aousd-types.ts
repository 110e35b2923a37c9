import { basename } from 'node:path';
import { Path, PathKind, T } from '@manyworlds/usd';
import { attributeTypeNames, findAttributeType } from '@manyworlds/usd/internal';
import { caseName, readJson, walkFiles } from '../../src/files.ts';
import { isObject, type Json, type JsonObject, jsonDifferences } from '../../src/json.ts';
import type { Case, Group, Outcome, SuiteContext } from '../../src/suite.ts';

/** The tables of type names, roles, paths and arcs. */
export const aousdTypes: Group = {
	name: 'aousd/types',
	description: 'foundational_data_types.json and specialized_types.json: type names, roles, object paths, arcs',
	tolerance: 'exact sets; types newer than the tables are named in this file',
	timeLimit: 10,
	*cases(context: SuiteContext): Generator<Case> {
		for (const path of walkFiles(context.dir)) {
			const check = CHECKS[basename(path)];
			if (check === undefined) continue;
			yield { name: caseName(context.dir, path), run: () => check(asObject(readJson(path))) };
		}
	},
};

const CHECKS: Readonly<Record<string, (json: JsonObject) => Outcome>> = {
	'foundational_data_types.json': checkNames,
	'specialized_types.json': checkSpecialized,
};

/** Types that AOUSD 1.0 leaves out of its table of names. */
const NEWER_TYPES = ['pathExpression', 'pathExpression[]', 'duration', 'duration[]'];

const ROLE_WORDS: Readonly<Record<string, string>> = { TextureCoordinate: 'texCoord' };

function checkNames(json: JsonObject): Outcome {
	const unknown = unknownKey(json, ['named_types', 'semantic_aliases']);
	if (unknown !== undefined) return unknown;
	const named: string[] = ['dictionary'];
	const aliases: string[] = [];
	for (const name of attributeTypeNames()) {
		const type = findAttributeType(name)!;
		if (type.isLegacy || NEWER_TYPES.includes(name)) continue;
		if (type.role === '') named.push(name);
		else
			aliases.push(
				[name, type.valueType?.name ?? 'opaque', ROLE_WORDS[type.role] ?? type.role.toLowerCase()].join(' '),
			);
	}
	for (const op of [T.stringListOp, T.tokenListOp, T.intListOp, T.int64ListOp, T.uintListOp, T.uint64ListOp]) {
		named.push(`listop<${op.name.replace('ListOp', '')}>`);
	}
	const expectedAliases = (json['semantic_aliases'] as Json[]).map((row) => (row as string[]).join(' '));
	const lines = [
		...jsonDifferences(sortedSet(named), sortedSet(json['named_types'] as string[]), 'named_types'),
		...jsonDifferences(sortedSet(aliases), sortedSet(expectedAliases), 'semantic_aliases'),
	];
	return lines.length === 0 ? undefined : lines.join('; ');
}

function checkSpecialized(json: JsonObject): Outcome {
	const unknown = unknownKey(json, ['ObjectPath', 'ReferenceOrPayload']);
	if (unknown !== undefined) return unknown;
	for (const [table, accepts] of [
		['ObjectPath', isObjectPath],
		['ReferenceOrPayload', isArc],
	] as const) {
		const cases = asObject(json[table]);
		const wrong =
			unknownKey(cases, ['valid', 'invalid']) ??
			firstWrong(cases['valid'], accepts, true) ??
			firstWrong(cases['invalid'], accepts, false);
		if (wrong !== undefined) return `${table}: ${wrong}`;
	}
	return undefined;
}

function firstWrong(list: Json | undefined, accepts: (item: Json) => boolean, wanted: boolean): string | undefined {
	if (!Array.isArray(list)) return 'no list of cases';
	const wrong = list.find((item) => accepts(item) !== wanted);
	return wrong === undefined ? undefined : `${JSON.stringify(wrong)} is ${wanted ? 'refused' : 'accepted'}`;
}

/** An absolute path to a prim or property, without variant selections. */
function isObjectPath(item: Json): boolean {
	const path = typeof item === 'string' ? Path.parse(item) : undefined;
	if (path === undefined || !path.isAbsolute || path.isAbsoluteRoot) return false;
	for (let node: Path | null = path; node !== null; node = node.parent) {
		if (node.kind === PathKind.variant) return false;
	}
	return path.kind === PathKind.prim || path.kind === PathKind.property;
}

/** A reference or payload needs an asset or a prim, and its path leads to a prim. */
function isArc(item: Json): boolean {
	const { asset, prim, ...rest } = asObject(item);
	if (Object.keys(rest).some((key) => key !== 'retiming')) throw new TypeError('an arc has an unknown key');
	if (prim === null) return asset !== null;
	const path = Path.parse(String(prim));
	return path !== undefined && isObjectPath(prim!) && path.kind === PathKind.prim;
}

function sortedSet(names: readonly string[]): string[] {
	return [...new Set(names)].sort();
}

function unknownKey(json: JsonObject, known: readonly string[]): string | undefined {
	const key = Object.keys(json).find((name) => !known.includes(name));
	return key === undefined ? undefined : `unknown key '${key}'`;
}

function asObject(json: unknown): JsonObject {
	if (!isObject(json)) throw new TypeError('an object was expected');
	return json;
}
