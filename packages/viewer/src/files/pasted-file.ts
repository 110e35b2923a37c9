/** What a text begins with, and how a file with it is called. */
const KINDS: readonly (readonly [RegExp, string])[] = [
	[/^#usda\b/, 'pasted.usda'],
	[/<robot\b/, 'pasted.urdf'],
	[/<mujoco\b/, 'pasted.xml'],
	[/<sdf\b/, 'pasted.sdf'],
	[/\bschema_version\b/, 'pasted.yaml'],
];

/** A text that was pasted as a file; throws an error with a sentence for what is no robot. */
export function pastedFile(text: string): { readonly entry: string; readonly files: Map<string, Uint8Array> } {
	const start = text.trimStart().slice(0, 4096);
	const entry = KINDS.find(([beginning]) => beginning.test(start))?.[1];
	if (entry === undefined) {
		throw new Error('the text that was pasted is no robot: expected OpenUSD in text, URDF, MJCF, SDF or a scene');
	}
	return { entry, files: new Map([[entry, new TextEncoder().encode(text.trimStart())]]) };
}
