import { describe, expect, it } from 'vitest';
import { Path } from '../src/index.ts';
import { MapFunction } from '../src/internal.ts';

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

	it('maps all paths where it maps the root, and back', () => {
		const below = map({ '/': '/X', '/A/B': '/Y' });
		expect(['/', '/A', '/A/C.x', '/A/B/C', '/Y'].map((path) => `${below.mapSourceToTarget(p(path))}`)).toEqual([
			'/X',
			'/X/A',
			'/X/A/C.x',
			'/Y/C',
			'/X/Y',
		]);
		const above = below.inverse();
		expect(['/X', '/X/A', '/Y/C', '/Z'].map((path) => `${above.mapSourceToTarget(p(path))}`)).toEqual([
			'/',
			'/A',
			'/A/B/C',
			'',
		]);
		expect(['/', '/A', '/A/B/C'].map((path) => `${above.mapTargetToSource(p(path))}`)).toEqual(['/X', '/X/A', '/Y/C']);
	});

	it('shifts time alone where it maps all paths to themselves', () => {
		const late = MapFunction.identity.withOffset({ offset: 3, scale: 2 });
		const arc = map({ '/M': '/A' }).withOffset({ offset: 5, scale: 7 });
		const outer = late.compose(arc);
		expect(`${outer.mapSourceToTarget(p('/M/x'))}`).toBe('/A/x');
		expect([outer.offset, outer.hasRootIdentity]).toEqual([{ offset: 13, scale: 14 }, false]);
		const inner = arc.compose(late);
		expect(`${inner.mapSourceToTarget(p('/M/x'))}`).toBe('/A/x');
		expect([inner.offset, inner.hasRootIdentity]).toEqual([{ offset: 26, scale: 14 }, false]);
	});

	it('does not map what would not map back', () => {
		const f = map({ '/': '/', '/_class': '/Model' });
		expect(f.mapSourceToTarget(p('/Model')).isEmpty).toBe(true);
		expect(`${f.mapTargetToSource(p('/Model'))}`).toBe('/_class');
		const g = map({ '/A': '/B', '/C': '/B/C' });
		expect(g.mapSourceToTarget(p('/A/C')).isEmpty).toBe(true);
	});

	it('is the same without what maps the root, where it has nothing that does', () => {
		const plain = map({ '/A': '/X' });
		for (const f of [plain, plain.deferred()]) expect(f.withoutRootIdentity()).toBe(f);
		const all = map({ '/': '/', '/A': '/X' }).withoutRootIdentity();
		expect([all.equals(plain), all.mapSourceToTarget(p('/B')).isEmpty]).toEqual([true, true]);
	});

	it('drops entries that change nothing', () => {
		expect(map({ '/': '/', '/A/B': '/A/B' }).isIdentity).toBe(true);
		expect(map({ '/A': '/B', '/A/C': '/B/C' }).pairs).toHaveLength(1);
		expect(map({ '/A': '/B', '/A/C': '/B/D' }).pairs).toHaveLength(2);
		// what something else has taken the place of maps nowhere, whether it says to map to itself or not
		const taken = map({ '/': '/', '/X': '/A', '/A/B': '/A/B' });
		expect(taken.pairs).toHaveLength(1);
		expect(taken.mapSourceToTarget(p('/A/B')).isEmpty).toBe(true);
		expect(`${taken.mapTargetToSource(p('/A/B'))}`).toBe('/X/B');
	});

	it('composes: the inner function first', () => {
		const reference = map({ '/Model': '/World/Model_1' });
		const inherit = map({ '/': '/', '/Model/_class': '/Model/Rig' });
		const both = reference.compose(inherit);
		expect(`${both.mapSourceToTarget(p('/Model/_class/x'))}`).toBe('/World/Model_1/Rig/x');
		expect(`${both.mapSourceToTarget(p('/Model/Other'))}`).toBe('/World/Model_1/Other');
		expect(both.mapSourceToTarget(p('/Elsewhere')).isEmpty).toBe(true);
	});

	it('maps step by step through compositions with a deferred function', () => {
		const relocates = map({ '/': '/', '/A/B': '/C/B' });
		const arc = map({ '/M': '/A', '/N': '/C' });
		// /A/B is gone, so that nothing may be named there; entries alone would give it to what came from /N
		expect(`${relocates.compose(arc).mapTargetToSource(p('/C/B'))}`).toBe('/M/B');
		const both = relocates.deferred().compose(arc);
		expect(both.equals(relocates.compose(arc))).toBe(true);
		for (const path of ['/M', '/M/B', '/M/B/x', '/N', '/N/B', '/X']) {
			const inner = arc.mapSourceToTarget(p(path));
			const outer = inner.isEmpty ? inner : relocates.mapSourceToTarget(inner);
			expect(both.mapSourceToTarget(p(path))).toBe(outer);
			if (!outer.isEmpty) expect(both.mapTargetToSource(outer)).toBe(p(path));
		}
		const back = both.inverse();
		expect(back.mapSourceToTarget(p('/C/B'))).toBe(both.mapTargetToSource(p('/C/B')));
	});

	it('differs from its entries where an inner function hides what they would find', () => {
		const outer = map({ '/': '/', '/A/B': '/C/B' });
		const inner = map({ '/A/B': '/C' });
		expect(`${outer.compose(inner).mapSourceToTarget(p('/A/B/B'))}`).toBe('/C/B');
		expect(outer.deferred().compose(inner).mapSourceToTarget(p('/A/B/B')).isEmpty).toBe(true);
		expect(`${outer.deferred().compose(inner).collapsed().mapSourceToTarget(p('/A/B/B'))}`).toBe('/C/B');
	});

	describe('implied classes', () => {
		const implied = (transfer: Record<string, string>, arc: Record<string, string>): string =>
			`${MapFunction.impliedClass(map(transfer), map(arc))}`.replaceAll('\n', ', ');

		it('move class and instance', () => {
			expect(implied({ '/': '/', '/M': '/W' }, { '/': '/', '/M/C': '/M/I' })).toBe('/ -> /, /W/C -> /W/I');
			expect(implied({ '/': '/', '/M': '/W' }, { '/': '/', '/C': '/M' })).toBe('/ -> /, /C -> /W');
			expect(implied({ '/': '/' }, { '/': '/', '/C': '/M' })).toBe('/ -> /, /C -> /M');
		});

		it('are gone when the class has no name over there', () => {
			expect(implied({ '/': '/', '/A/B': '/A' }, { '/': '/', '/A/A': '/A' })).toBe('/ -> /');
		});

		it('block the class when the instance has no name over there', () => {
			expect(implied({ '/': '/', '/A/B': '/C' }, { '/': '/', '/A': '/C/A' })).toBe('/ -> /, /A -> ');
		});

		it('keep what moves inside the instance', () => {
			expect(implied({ '/': '/', '/A/A/C': '/A/B/A' }, { '/': '/', '/C': '/A' })).toBe(
				'/ -> /, /C -> /A, /C/A/C -> /A/B/A',
			);
		});
	});

	it('composes and inverts offsets', () => {
		const f = MapFunction.ofPrim(p('/A'), p('/B'), { offset: 10, scale: 2 });
		const g = MapFunction.ofPrim(p('/B'), p('/C'), { offset: 1, scale: 3 });
		expect(g.compose(f).offset).toEqual({ offset: 31, scale: 6 });
		expect(f.inverse().offset).toEqual({ offset: -5, scale: 0.5 });
	});
});
