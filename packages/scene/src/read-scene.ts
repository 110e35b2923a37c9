import { quote, Report } from '@manyworlds/core';
import type * as z from 'zod';
import type { SceneCode } from './diagnostics.ts';
import { nearestName } from './nearest-name.ts';
import { type DocumentKind, SCENE_KIND, SceneDocument, type SceneLimits, type ScenePath } from './scene-document.ts';
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
	// errors that the caller's report holds already are none of this scene
	const own = new Report();
	const { scene, document } = readSceneDocument(text, { ...options, report: own });
	options.report?.addAll(own);
	return { scene, config: document?.value, report: options.report ?? own };
}

/** The same, with the document, for diagnostics of the loader. */
export function readSceneDocument(
	text: string,
	options: ReadSceneOptions & { readonly report: Report },
): { readonly scene: Scene | undefined; readonly document: SceneDocument | undefined } {
	const { value, document } = readDocument(text, sceneSchema, options);
	return { scene: value, document };
}

/** Reads a file that is written as scenes are, by a schema made of the parts of `schema/leaf.ts`; undefined when it has errors. */
export function readDocument<T>(
	text: string,
	schema: z.ZodType<T>,
	options: ReadSceneOptions & { readonly report: Report },
	kind: DocumentKind = SCENE_KIND,
): { readonly value: T | undefined; readonly document: SceneDocument | undefined } {
	const { file = 'scene.yaml', report } = options;
	const document = SceneDocument.parse(text, file, report, options, kind);
	if (document === undefined) return { value: undefined, document };
	const first = schema.safeParse(document.value);
	if (first.success) return { value: first.data, document };
	const known = withoutUnknownKeys(document.value, first.error.issues);
	for (const issue of first.error.issues) diagnose(issue, document, report, kind);
	// unknown keys hide nothing: without them the rest is read as it stands
	const second = schema.safeParse(known);
	if (second.success) return { value: report.hasErrors ? undefined : second.data, document };
	for (const issue of second.error.issues) diagnose(issue, document, report, kind);
	return { value: undefined, document };
}

type Issue = z.core.$ZodIssue;

/** Reports an issue of the schema; once the report is full, issues are only counted. */
function diagnose(issue: Issue, document: SceneDocument, report: Report, kind: DocumentKind): void {
	const path = issue.path as ScenePath;
	const name = formatScenePath(path) || `the ${kind.what}`;
	if (issue.code === 'unrecognized_keys') {
		const code = name === 'simulation.solver' ? 'SCN009' : 'SCN005';
		const known = issue.message.split(' ');
		for (const key of issue.keys) {
			if (report.isFull(code === 'SCN009' ? 'error' : 'warning')) {
				report.count(code === 'SCN009' ? 'error' : 'warning');
				continue;
			}
			const similar = nearestName(key, known);
			const hint = similar === undefined ? '' : `; did you mean '${similar}'?`;
			const place = document.locate([...path, key], 'key');
			report.add(kind.create(code, `${name} has an unknown key ${quote(key)}${hint}`, place));
		}
		return;
	}
	if (report.isFull('error')) {
		report.count('error');
		return;
	}
	const leaf = (issue as { readonly params?: Partial<LeafIssue> }).params?.scene;
	if (leaf === undefined) {
		const value = valueAt(document.value, path);
		const expected = 'expected' in issue ? EXPECTED[String(issue.expected)] : undefined;
		const message = `${name} is ${found(value)}, expected ${expected ?? 'another type of value'}`;
		report.add(kind.create('SCN006', message, document.locate(path)));
		return;
	}
	const place = leaf.at === undefined ? document.locate(path) : document.locateWithin(path, leaf.at);
	report.add(kind.create(leaf.code as SceneCode, `${name} ${issue.message}`, place));
}

const EXPECTED: Readonly<Record<string, string>> = { object: 'a mapping', array: 'a list' };

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
