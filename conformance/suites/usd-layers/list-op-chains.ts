import { readFileSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import { ListOp } from '@manyworlds/usd';
import { caseName, readJson, walkFiles } from '../../src/files.ts';
import { isObject, type Json, type JsonObject, jsonDifferences } from '../../src/json.ts';
import type { Case, Group, Outcome, SuiteContext } from '../../src/suite.ts';

/** Chains of list-ops, combined. */
export const listOpChains: Group = {
	name: 'listop/chains',
	description:
		'files of combine_chain: list-ops from strong to weak give the combined, reduced one; applying it equals applying the chain',
	tolerance: 'exact, order of items included',
	timeLimit: 10,
	*cases(context: SuiteContext): Generator<Case> {
		for (const path of walkFiles(context.dir)) {
			if (extname(path) !== '.json') continue;
			const isChainFile = basename(dirname(path)) === 'combine_chain' || looksLikeChains(path);
			if (isChainFile) yield { name: caseName(context.dir, path), run: () => checkFile(readJson(path)) };
		}
	},
};

const LISTS = ['explicit_items', 'prepended_items', 'appended_items', 'deleted_items'] as const;

function looksLikeChains(path: string): boolean {
	return readFileSync(path, 'utf8').includes('"combined_reduced"');
}

function checkFile(json: unknown): Outcome {
	if (!Array.isArray(json) || json.length === 0) return 'not a list of chains';
	for (const entry of json) {
		if (!isObject(entry)) return 'an entry is not an object';
		const problem = checkChain(entry);
		if (problem !== undefined) return `${String(entry['description'])}: ${problem}`;
	}
	return undefined;
}

function checkChain(entry: JsonObject): Outcome {
	const unknown = Object.keys(entry).find((key) => !['description', 'chain', 'combined_reduced'].includes(key));
	if (unknown !== undefined) return `unknown key '${unknown}'`;
	const chain = entry['chain'];
	if (!Array.isArray(chain) || chain.length === 0) return 'no chain';
	const ops = chain.map(parseOp);
	let combined = ops[0]!;
	for (const weaker of ops.slice(1)) {
		const next = combined.composeOver(weaker);
		if (next === undefined) return 'cannot be combined';
		combined = next;
	}
	const lines = jsonDifferences(reduced(combined), entry['combined_reduced'] ?? null);
	if (lines.length > 0) return lines.join('; ');

	// whatever list they are applied to, one after the other or at once
	const items = [...new Set(ops.flatMap((op) => [...op.prependedItems, ...op.appendedItems, ...op.deletedItems]))];
	for (const start of [[], items, [...items].reverse(), [-1, ...items, -2]]) {
		const steps = ops.reduceRight((list, op) => op.apply(list), start as readonly number[]);
		const differences = jsonDifferences(combined.apply(start), steps);
		if (differences.length > 0) return `applied to [${start.join(', ')}]: ${differences.join('; ')}`;
	}
	return undefined;
}

function parseOp(json: Json): ListOp<number> {
	if (!isObject(json)) throw new TypeError('a list-op of a chain is not an object');
	const unknown = Object.keys(json).find((key) => !(LISTS as readonly string[]).includes(key));
	if (unknown !== undefined) throw new TypeError(`unknown list '${unknown}'`);
	const items = (key: (typeof LISTS)[number]): number[] => (json[key] ?? []) as number[];
	if ('explicit_items' in json) return ListOp.explicit(items('explicit_items'));
	return ListOp.edits({
		prependedItems: items('prepended_items'),
		appendedItems: items('appended_items'),
		deletedItems: items('deleted_items'),
	});
}

/** Without items that a stronger list of the same list-op makes void (AOUSD 6.6). */
function reduced(op: ListOp<number>): JsonObject {
	if (op.isExplicit) return { explicit_items: op.explicitItems };
	const prepended = op.prependedItems.filter((item) => !op.appendedItems.includes(item));
	const kept = new Set([...op.prependedItems, ...op.appendedItems]);
	const deleted = op.deletedItems.filter((item) => !kept.has(item));
	const out: Record<string, Json> = {};
	if (prepended.length > 0) out['prepended_items'] = prepended;
	if (op.appendedItems.length > 0) out['appended_items'] = op.appendedItems;
	if (deleted.length > 0) out['deleted_items'] = deleted;
	return out;
}
