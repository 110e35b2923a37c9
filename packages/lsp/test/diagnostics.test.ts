import { afterEach, expect, test } from 'vitest';
import { TestClient, type TestClientOptions } from './support/test-client.ts';

let client: TestClient;
afterEach(() => client.stop());

async function start(files: Record<string, string>, options?: TestClientOptions): Promise<void> {
	client = await TestClient.start(files, options);
}

const ARM = `#usda 1.0
(
    defaultPrim = "Arm"
    metersPerUnit = 1
    upAxis = "Z"
)

def Xform "Arm"
{
    def Cube "link" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI"]
    )
    {
        float physics:mass = 1
    }
}
`;

const ROOT = `#usda 1.0
(
    defaultPrim = "Robot"
    metersPerUnit = 1
    upAxis = "Z"
)

def Xform "Robot"
{
    def "arm" (
        references = @./arm.usda@</Arm>
    )
    {
    }

    rel body = </Robot/arm/link>
}
`;

test('an unsaved edit of a referenced layer changes the findings of the root', async () => {
	await start({ 'robot.usda': ROOT, 'arm.usda': ARM });
	await client.open('robot.usda');
	await client.open('arm.usda');
	const codes = async (): Promise<string[]> => (await client.diagnostics('robot.usda')).map(({ code }) => String(code));
	const before = await codes();
	expect(before).not.toContain('PCP003');
	await client.edit('arm.usda', '"Arm"\n{', '"Other"\n{');
	const after = await client.diagnostics('robot.usda');
	const broken = after.find(({ message }) => String(message).includes('/Arm'));
	expect(broken, after.map(({ message }) => message).join('\n')).toBeDefined();
	await client.edit('arm.usda', '"Other"\n{', '"Arm"\n{');
	expect(await codes()).toEqual(before);
});

test('a finding of a shared layer appears once, whichever root shows it', async () => {
	await start({ 'a.usda': ROOT, 'b.usda': ROOT, 'arm.usda': ARM });
	await client.open('a.usda');
	await client.open('b.usda');
	await client.open('arm.usda');
	for (const name of ['a.usda', 'b.usda', 'arm.usda']) {
		const keys = (await client.diagnostics(name)).map(({ code, range, message }) =>
			JSON.stringify([code, range, message]),
		);
		expect(new Set(keys).size).toBe(keys.length);
	}
});

test.each(['utf-8', 'utf-16', 'utf-32'] as const)(
	'ranges are right in %s columns before emoji, tabs and combining marks',
	async (unit) => {
		const text = '#usda 1.0\r\ndef Xform "Robot"\r\n{\r\n\t/* ü 😀 e\u0301 漢 */ float size = 😀oops\r\n}\r\n';
		await start({ 'robot.usda': text }, { unit });
		expect(client.result.capabilities.positionEncoding).toBe(unit);
		await client.open('robot.usda');
		const syntax = (await client.diagnostics('robot.usda')).filter(({ code }) => String(code).startsWith('USDA'));
		expect(syntax.length).toBeGreaterThan(0);
		const [first] = syntax;
		expect(client.textOf(client.uri('robot.usda'), first!.range)).toMatch(/^😀/u);
		// the same place after an edit that moves it
		await client.edit('robot.usda', 'ü', 'üü😀');
		const [moved] = (await client.diagnostics('robot.usda')).filter(({ code }) => String(code).startsWith('USDA'));
		expect(client.textOf(client.uri('robot.usda'), moved!.range)).toMatch(/^😀/u);
	},
);

test('a client that asks is not told, and what has not changed is not sent again', async () => {
	await start({ 'robot.usda': ROOT, 'arm.usda': ARM });
	await client.open('robot.usda');
	const first = await client.pull('robot.usda');
	expect(first.kind).toBe('full');
	expect((first as { items: unknown[] }).items.length).toBeGreaterThan(0);
	expect(await client.pull('robot.usda', first.resultId)).toEqual({ kind: 'unchanged', resultId: first.resultId });
	await client.edit('robot.usda', 'upAxis = "Z"', 'upAxis = "Y"');
	const second = await client.pull('robot.usda', first.resultId);
	expect(second.kind).toBe('full');
	expect(client.published).toEqual([]);
});

test('a client that does not ask is told, and told again when files are closed', async () => {
	await start({ 'robot.usda': `${ROOT}def\n`, 'arm.usda': ARM }, { pulls: false });
	await client.open('robot.usda');
	const uri = client.uri('robot.usda');
	const found = await client.whenPublished(
		(params) => params.uri === uri && params.diagnostics.some(({ code }) => String(code).startsWith('R')),
	);
	expect(found.version).toBe(1);
	expect(found.diagnostics.some(({ code }) => String(code).startsWith('USDA'))).toBe(true);
	const arm = await client.whenPublished((params) => params.uri === client.uri('arm.usda'));
	expect(arm.diagnostics.length).toBeGreaterThan(0);
	client.published.length = 0;
	await client.close('robot.usda');
	await client.whenPublished((params) => params.uri === uri && params.diagnostics.length === 0);
	await client.whenPublished((params) => params.uri === client.uri('arm.usda') && params.diagnostics.length === 0);
});

test('fifty edits in a row start two checks at most', async () => {
	await start({ 'robot.usda': ROOT, 'arm.usda': ARM });
	await client.open('robot.usda');
	await client.pull('robot.usda');
	const before = client.server.checksStarted;
	for (let i = 0; i < 50; i++) await client.edit('robot.usda', 'def Xform "Robot"', `# ${i}\ndef Xform "Robot"`);
	await client.pull('robot.usda');
	expect(client.server.checksStarted - before).toBeLessThanOrEqual(2);
});

test('the workspace is answered with the findings of files that are not open', async () => {
	await start({ 'robot.usda': ROOT, 'arm.usda': ARM });
	await client.open('robot.usda');
	const { items } = await client.connection.sendRequest<{ items: { uri: string; kind: string; items: unknown[] }[] }>(
		'workspace/diagnostic',
		{ previousResultIds: [] },
	);
	expect(items.map(({ uri }) => uri).sort()).toEqual([client.uri('arm.usda'), client.uri('robot.usda')]);
	expect(items.every((one) => one.kind === 'full' && one.items.length > 0)).toBe(true);
});

test('a configuration of the workspace counts as it does for the command', async () => {
	await start({ 'robot.usda': ROOT, 'arm.usda': ARM, 'manyworlds.json': '{"check":{"select":["R1.1.1"]}}' });
	await client.open('robot.usda');
	const rules = (await client.diagnostics('robot.usda'))
		.map(({ code }) => String(code))
		.filter((code) => /^R\d/.test(code));
	expect(new Set(rules).size).toBeLessThanOrEqual(1);
});

test('layers that lead to each other in a circle while somebody types are findings, and no end', async () => {
	await start({ 'a.usda': '#usda 1.0\n(\n    subLayers = [@./b.usda@]\n)\n', 'b.usda': '#usda 1.0\n' });
	await client.open('a.usda');
	await client.open('b.usda', '#usda 1.0\n(\n    subLayers = [@./a.usda@]\n)\n');
	const found = [...(await client.diagnostics('a.usda')), ...(await client.diagnostics('b.usda'))];
	expect(
		found.some(({ message }) => /cycle|circle/i.test(String(message))),
		found.map(({ message }) => message).join(),
	).toBe(true);
});
