import type { Diagnostic } from '@manyworlds/core';
import { type LoadedScene, type LoadSceneOptions, type LoadSceneResult, loadSceneText } from '@manyworlds/scene';
import { MemoryStore } from '@manyworlds/usd';

/** Two bodies: a box on a free joint and a ball on a hinge. Parts can be replaced or added. */
export function twoBodies(parts: Readonly<Record<string, unknown>> = {}): string {
	return JSON.stringify(
		{
			schema_version: 1,
			simulation: { dt: 0.005, num_worlds: 1, max_rigid_contact: 8 },
			builder: { rigid_gap: 0.002, defaults: { joint: { armature: 0.01 }, shape: { ke: 1e5, tau: 0.02, mu: 0.5 } } },
			ground: { label: 'floor' },
			bodies: [
				{ id: 'box', transform: { p: [0, 0, 1] }, shapes: [{ type: 'box', hx: 0.1, hy: 0.1, hz: 0.1 }] },
				{ id: 'arm', shapes: [{ type: 'sphere', radius: 0.1 }] },
			],
			joints: [
				{ id: 'box_free', type: 'free', child: 'box' },
				{ id: 'hinge', type: 'revolute', child: 'arm', axis: 'y', parent_xform: { p: [1, 0, 1] } },
			],
			articulations: [
				{ id: 'a', joints: ['box_free'] },
				{ id: 'b', joints: ['hinge'] },
			],
			...parts,
		},
		null,
		1,
	);
}

type Options = Partial<LoadSceneOptions> & {
	readonly file?: string;
	readonly files?: Readonly<Record<string, string>>;
};

/** Loads the text of a scene whose files are given by name. */
export function load(text: string, { files = {}, ...options }: Options = {}): LoadSceneResult {
	return loadSceneText(text, { store: new MemoryStore(files), ...options });
}

/** The scene that a text gives; throws the findings when it is refused. */
export function loaded(text: string, options: Options = {}): LoadedScene {
	const result = load(text, options);
	if (result.loaded === undefined) throw new Error(result.report.toArray().map(line).join('\n'));
	return result.loaded;
}

/** What a load says: `line:column code message`, errors only unless asked for more. */
export function findings(
	{ report }: Pick<LoadSceneResult, 'report'>,
	severities: readonly string[] = ['error'],
): string[] {
	return report
		.toArray()
		.filter(({ severity }) => severities.includes(severity))
		.map(line);
}

function line({ code, range, message }: Diagnostic): string {
	return `${range?.start.line}:${range?.start.column} ${code} ${message}`;
}
