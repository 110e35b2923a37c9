import { createDiagnostic, type DiagnosticCode, quote, Report } from '@manyworlds/core';
import type * as z from 'zod';
import { nearestName } from './nearest-name.ts';
import { SceneDocument, type SceneLimits, type ScenePath } from './scene-document.ts';
import { found, type LeafIssue } from './schema/leaf.ts';
import { type Scene, scene as sceneSchema } from './schema/scene.ts';

/** Options of {@link readScene}. @public */
export interface ReadSceneOptions extends SceneLimits {
	/** Name of the file in diagnostics; one that ends with `.json` is JSON. */
	readonly file?: string;
	/** Collects diagnostics; left out, a new one. */
	readonly report?: Report;
}

/** What {@link readScene} gives. @public */
export interface ReadSceneResult {
	/** Undefined when the file has errors. */
	readonly scene: Scene | undefined;
	/** The plain value of the file, where it could be parsed. */
	readonly config: unknown;
	readonly report: Report;
}

/**
 * Reads a scene file: YAML 1.2 or JSON, checked against the schema. Every finding has a line and a column. Unknown keys are
 * warnings and name the key that was probably meant. Nothing is opened, fetched or executed.
 *
 * ```ts
 * const { scene, report } = readScene(text, { file: 'box.yaml' });
 * ```
 * @public
 */
export function readScene(text: string, options: ReadSceneOptions = {}): ReadSceneResult {
	const report = options.report ?? new Report();
	const { scene, document } = readSceneDocument(text, { ...options, report });
	return { scene, config: document?.value, report };
}

/** The same, with the document, for diagnostics of the loader. */
export function readSceneDocument(
	text: string,
	options: ReadSceneOptions & { readonly report: Report },
): { readonly scene: Scene | undefined; readonly document: SceneDocument | undefined } {
	const { file = 'scene.yaml', report } = options;
	const document = SceneDocument.parse(text, file, report, options);
	if (document === undefined) return { scene: undefined, document };
	const first = sceneSchema.safeParse(document.value);
	if (first.success) return { scene: first.data, document };
	const known = withoutUnknownKeys(document.value, first.error.issues);
	for (const issue of first.error.issues) report.add(diagnose(issue, document));
	// unknown keys hide nothing: without them the rest is read as it stands
	const second = sceneSchema.safeParse(known);
	if (second.success) return { scene: report.hasErrors ? undefined : second.data, document };
	for (const issue of second.error.issues) report.add(diagnose(issue, document));
	return { scene: undefined, document };
}

type Issue = z.core.$ZodIssue;

function diagnose(issue: Issue, document: SceneDocument): ReturnType<typeof createDiagnostic> {
	const path = issue.path as ScenePath;
	const name = formatScenePath(path);
	if (issue.code === 'unrecognized_keys') {
		const key = issue.keys[0]!;
		const all = issue.keys.map((unknown) => unknownKey(unknown, issue.message.split(' ')));
		const inSolver = name === 'simulation.solver';
		const place = document.locate([...path, key], 'key');
		return createDiagnostic(
			inSolver ? 'SCN009' : 'SCN005',
			`${name === '' ? 'the scene' : name} has ${all.join(', ')}`,
			place,
		);
	}
	const leaf = (issue as { readonly params?: Partial<LeafIssue> }).params?.scene;
	if (leaf === undefined) {
		const value = valueAt(document.value, path);
		const expected = 'expected' in issue ? EXPECTED[String(issue.expected)] : undefined;
		const message = `${name || 'the scene'} is ${found(value)}, expected ${expected ?? 'another type of value'}`;
		return createDiagnostic(value === undefined ? 'SCN010' : 'SCN006', message, document.locate(path));
	}
	const place = leaf.at === undefined ? document.locate(path) : document.locateWithin(path, leaf.at);
	return createDiagnostic(leaf.code as DiagnosticCode, `${name || 'the scene'} ${issue.message}`, place);
}

const EXPECTED: Readonly<Record<string, string>> = { object: 'a mapping', array: 'a list' };

function unknownKey(key: string, known: readonly string[]): string {
	const similar = nearestName(key, known);
	return `an unknown key ${quote(key)}${similar === undefined ? '' : `; did you mean '${similar}'?`}`;
}

/** A path for messages: `bodies[0].shapes[1].hx`. */
export function formatScenePath(path: ScenePath): string {
	return path.reduce<string>(
		(text, step) => (typeof step === 'number' ? `${text}[${step}]` : text === '' ? step : `${text}.${step}`),
		'',
	);
}

function valueAt(value: unknown, path: ScenePath): unknown {
	let at = value;
	for (const step of path) at = (at as Readonly<Record<string | number, unknown>> | null | undefined)?.[step];
	return at;
}

/** A copy of a value without the keys that issues say are unknown. */
function withoutUnknownKeys(value: unknown, issues: readonly Issue[]): unknown {
	const copy = clone(value);
	for (const issue of issues) {
		if (issue.code !== 'unrecognized_keys') continue;
		const owner = valueAt(copy, issue.path as ScenePath) as Record<string, unknown>;
		for (const key of issue.keys) delete owner[key];
	}
	return copy;
}

function clone(value: unknown): unknown {
	if (Array.isArray(value)) return value.map(clone);
	if (value === null || typeof value !== 'object') return value;
	const out: Record<string, unknown> = Object.create(null);
	for (const [key, part] of Object.entries(value)) out[key] = clone(part);
	return out;
}
