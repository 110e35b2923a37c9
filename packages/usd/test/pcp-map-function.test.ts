import { describe, expect, it } from 'vitest';
import { MapFunction, Path } from '../src/index.ts';

const p = (text: string): Path => Path.parse(text)!;
const map = (pairs: Record<string, string>): MapFunction =>
	MapFunction.create(Object.entries(pairs).map(([source, target]) => [p(source), p(target)] as const));

describe('MapFunction', () => {
	it('maps by the longest matching prefix, both ways', () => {
		const f = map({ '/A': '/X', '/A/B': '/Y' });
		expect(`${f.mapSourceToTarget(p('/A/C.x'))}`).toBe('/X/C.x');
		expect(`${f.mapSourceToTarget(p('/A/B/C'))}`).toBe('/Y/C');
		expect(`${f.mapTargetToSource(p('/Y/C'))}`).toBe('/A/B/C');
		expect(f.mapSourceToTarget(p('/Z')).isEmpty).toBe(true);
	});

	it('does not map what would not map back', () => {
		const f = map({ '/': '/', '/_class': '/Model' });
		expect(f.mapSourceToTarget(p('/Model')).isEmpty).toBe(true);
		expect(`${f.mapTargetToSource(p('/Model'))}`).toBe('/_class');
		const g = map({ '/A': '/B', '/C': '/B/C' });
		expect(g.mapSourceToTarget(p('/A/C')).isEmpty).toBe(true);
	});

	it('drops entries that change nothing', () => {
		expect(map({ '/': '/', '/A/B': '/A/B' }).isIdentity).toBe(true);
		expect(map({ '/A': '/B', '/A/C': '/B/C' }).pairs).toHaveLength(1);
		expect(map({ '/A': '/B', '/A/C': '/B/D' }).pairs).toHaveLength(2);
	});

	it('composes: the inner function first', () => {
		const reference = map({ '/Model': '/World/Model_1' });
		const inherit = map({ '/': '/', '/Model/_class': '/Model/Rig' });
		const both = reference.compose(inherit);
		expect(`${both.mapSourceToTarget(p('/Model/_class/x'))}`).toBe('/World/Model_1/Rig/x');
		expect(`${both.mapSourceToTarget(p('/Model/Other'))}`).toBe('/World/Model_1/Other');
		expect(both.mapSourceToTarget(p('/Elsewhere')).isEmpty).toBe(true);
	});

	it('keeps what OpenUSD 26.11 keeps of a class below the name of its instance', () => {
		const transfer = map({ '/': '/', '/Model': '/World' });
		const inherit = map({ '/': '/', '/World/C': '/Model' });
		const implied = transfer.compose(inherit.compose(transfer.inverse()));
		expect(implied.equals(map({ '/': '/', '/Model': '/World' }))).toBe(true);
	});

	it('composes and inverts offsets', () => {
		const f = MapFunction.ofPrim(p('/A'), p('/B'), { offset: 10, scale: 2 });
		const g = MapFunction.ofPrim(p('/B'), p('/C'), { offset: 1, scale: 3 });
		expect(g.compose(f).offset).toEqual({ offset: 31, scale: 6 });
		expect(f.inverse().offset).toEqual({ offset: -5, scale: 0.5 });
	});
});
