import { Report } from '@manyworlds/core';
import { describe, expect, it } from 'vitest';
import { openLayer } from '../src/open-layer.ts';
import { compareLayers } from '../src/sdf/compare-layers.ts';
import { writeUsda } from '../src/usda/write-usda.ts';
import { writeUsdc } from '../src/usdc/crate-writer.ts';
import { writeUsdz } from '../src/usdz/write-usdz.ts';

const TEXT = '#usda 1.0\n\ndef Xform "Robot"\n{\n    double radius = 0.25\n}\n';

describe('openLayer', () => {
	it('opens all three formats by content and gives equal layers', () => {
		const report = new Report();
		const text = openLayer(new TextEncoder().encode(TEXT), { identifier: 'robot', report })!;
		const crate = openLayer(writeUsdc(text.data), { identifier: 'robot.usda', report })!;
		const entries = [{ name: 'robot.usda', bytes: writeUsda(text.data) }];
		const packaged = openLayer(writeUsdz(entries), { identifier: 'robot.usdz', report })!;
		expect(report.toArray()).toEqual([]);
		expect(compareLayers(text.data, crate.data)).toEqual([]);
		expect(compareLayers(text.data, packaged.data)).toEqual([]);
		expect(packaged.identifier).toBe('robot.usdz[robot.usda]');
	});

	it('gives an editable layer whatever the format', () => {
		const text = openLayer(new TextEncoder().encode(TEXT), { identifier: 'a' })!;
		const crate = openLayer(writeUsdc(text.data), { identifier: 'b' })!;
		for (const layer of [text, crate]) {
			layer.createPrim('/Robot/Arm', { specifier: 'def', typeName: 'Xform' });
			layer.moveSpec('/Robot.radius', '/Robot.size');
			layer.removeSpec('/Robot.size');
		}
		expect(compareLayers(text.data, crate.data)).toEqual([]);
		expect(new TextDecoder().decode(writeUsda(crate.data))).toBe(
			'#usda 1.0\n\ndef Xform "Robot"\n{\n    def Xform "Arm"\n    {\n    }\n}\n\n',
		);
	});

	it('gives nothing and an error for what is no USD file', () => {
		const report = new Report();
		expect(openLayer(new Uint8Array([1, 2, 3]), { identifier: 'x', report })).toBeUndefined();
		expect(report.hasErrors).toBe(true);
	});
});
