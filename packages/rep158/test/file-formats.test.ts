import { checkAsset } from '@manyworlds/rep158';
import { readUsda, writeUsdc, writeUsdz } from '@manyworlds/usd';
import { describe, expect, it } from 'vitest';
import { openAsset } from './open-asset.ts';

const HEAD =
	'(\n    defaultPrim = "robot"\n    kilogramsPerUnit = 1\n    metersPerUnit = 1\n    timeCodesPerSecond = 1\n    upAxis = "Z"\n';
const ENTRY = `#usda 1.0\n${HEAD}    subLayers = [@./base.usd@]\n)\ndef Xform "robot" (\n    kind = "component"\n)\n{\n}\n`;
/** A link that is scaled, and a joint without limits. */
const BASE = `#usda 1.0
${HEAD})
def Xform "robot"
{
    def Cube "link" (
        prepend apiSchemas = ["PhysicsRigidBodyAPI"]
    )
    {
        float3 xformOp:scale = (2, 2, 2)
        uniform token[] xformOpOrder = ["xformOp:scale"]
    }

    def PhysicsRevoluteJoint "joint"
    {
        rel physics:body1 = </robot/link>
    }
}
`;

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const crate = (text: string): Uint8Array => writeUsdc(readUsda(bytes(text)));

/** Rules and prims that are found, without what is about the form of the files. */
function findings(files: Readonly<Record<string, string | Uint8Array>>, entry: string): string[] {
	const { layer, store } = openAsset(files, entry);
	const { report } = checkAsset(layer, store);
	expect(store.report.toArray()).toEqual([]);
	return (
		report
			.toArray()
			.filter(({ code }) => !['R1.2.1.3', 'R1.2.1.4'].includes(code))
			// what is wrong with a layer as a whole is told at one of its prims
			.map(({ code, prim }) => (code.startsWith('R1.2.1.') ? code : `${code} ${prim}`))
			.sort()
	);
}

/** REP 0158, R1.2.5.12: whatever format a layer comes in, the stage is the same, and so is what is found on it. */
describe('formats of layers', () => {
	const expected = findings({ 'asset.usda': ENTRY, 'base.usd': BASE }, 'asset.usda');

	it('give findings at all', () => {
		expect(expected).toEqual(expect.arrayContaining(['R1.3.3 /robot/joint', 'R1.1.7 /robot/link.xformOpOrder']));
	});

	it('text and crate are told by content and give the same findings', () => {
		expect(findings({ 'asset.usda': ENTRY, 'base.usd': crate(BASE) }, 'asset.usda')).toEqual(expected);
		expect(findings({ 'asset.usd': crate(ENTRY), 'base.usd': crate(BASE) }, 'asset.usd')).toEqual(expected);
	});

	it('so does a package of both', () => {
		const members = [
			{ name: 'asset.usda', bytes: bytes(ENTRY) },
			{ name: 'base.usd', bytes: crate(BASE) },
		];
		expect(findings({ 'asset.usdz': writeUsdz(members) }, 'asset.usdz')).toEqual(expected);
	});
});
