import { readFileSync, readdirSync, existsSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { join, dirname, relative } from 'node:path';
import { CompositionCache, isIdentityOffset, Path, type Layer } from '@manyworlds/usd';
import { SceneSource } from './suites/usd-composition/scene-source.ts';
const dir = process.argv[2] ?? '/work/shared/oracle/golden/usd/fuzz';
const only = process.argv[3];
const read = (p: string): any => existsSync(p) ? JSON.parse(readFileSync(p, 'utf8')) : JSON.parse(gunzipSync(readFileSync(p + '.gz')).toString());
let good = 0; const bad: string[] = [];
const kinds = new Map<string, number>();
for (const name of readdirSync(dir).sort()) {
	if (only && name !== only) continue;
	const folder = join(dir, name);
	if (!existsSync(join(folder, 'case.json'))) continue;
	if (process.env.SKIP?.split(',').includes(name)) continue;
	const info = read(join(folder, 'case.json'));
	const expected = read(join(folder, 'expected.json'));
	const source = new SceneSource();
	const root = source.layer(join(folder, 'root.usda')) as Layer;
	const t0 = performance.now();
	const session = info.session ? source.layer(join(folder, info.session)) as Layer : undefined;
	const cache = new CompositionCache({ rootLayer: root, sessionLayer: session, source, variantFallbacks: new Map(Object.entries(info.variantFallbacks ?? {})) as any });
	const label = (l: Layer): string => relative(dirname(root.identifier), l.identifier);
	const problems: string[] = [];
	const ours: { path: string; stack: any[] }[] = [];
	const errors = new Map<string, Set<string>>();
	const note = (kind: string, site: string) => { let s = errors.get(kind); if (!s) errors.set(kind, s = new Set()); s.add(site); };
	const open = [Path.root];
	let n = 0;
	while (open.length) {
		const path = open.pop()!;
		const index = cache.primIndex(path);
		if (++n > 20000) { problems.push('too many prims'); break; }
		for (const e of index.errors) note(e.kind, e.root.path.toString());
		if (path !== Path.root) ours.push({ path: path.toString(), stack: index.primStack().map((s) => isIdentityOffset(s.offset) ? [label(s.layer), s.path.toString()] : [label(s.layer), s.path.toString(), s.offset.offset, s.offset.scale]) });
		let active = true; for (const s of index.primStack()) { const v = s.layer.data.field(s.path, 'active'); if (v) { active = v.data as boolean; break; } }
		if (!active) continue;
		const names = index.childNames().names;
		for (let i = names.length - 1; i >= 0; i--) open.push(path.appendChild(names[i]!));
	}
	for (const st of cache.layerStacks()) for (const e of st.errors) note(e.kind, '/');
	const a = ours.map((o) => o.path).join('\n'); const b = expected.prims.map((p: any) => p.path).join('\n');
	if (a !== b) { const aa = ours.map(o=>o.path), bb = expected.prims.map((p:any)=>p.path); let i = 0; while (aa[i] === bb[i]) i++; problems.push(`prims differ at ${i}: ${aa[i]} expected ${bb[i]}`); }
	const byPath = new Map(ours.map((o) => [o.path, o.stack]));
	const close = (x: any, y: any) => x === y || (typeof x === 'number' && typeof y === 'number' && Math.abs(x - y) <= 1e-9 * Math.max(1, Math.abs(x)));
	for (const p of expected.prims) {
		const mine = byPath.get(p.path);
		if (!mine) continue;
		const theirs = p.stack ?? [];
		const same = mine.length === theirs.length && mine.every((m, i) => m.length === theirs[i].length && m.every((v: any, j: number) => close(v, theirs[i][j])));
		if (!same) problems.push(`${p.path}${p.flags.includes('instanceProxy') ? ' (proxy)' : ''}: ${JSON.stringify(mine)} expected ${JSON.stringify(theirs)}`);
	}
	const theirsE = new Map(Object.entries(expected.errors ?? {}).map(([k, v]: any) => [k, new Set(v.sites)]));
	for (const k of new Set([...errors.keys(), ...theirsE.keys()])) {
		const x = [...(errors.get(k) ?? [])].sort().join(' '), y = [...((theirsE.get(k) as any) ?? [])].sort().join(' ');
		if (x !== y) problems.push(`errors ${k}: ${x || '-'} expected ${y || '-'}`);
	}
	const ms = performance.now() - t0;
	if (problems.length === 0) good++; else { bad.push(name); console.log(`## ${name} [${info.groups ?? info.features?.join?.(',') ?? ''}] ${ms.toFixed(0)}ms ${problems.length} problems`); for (const p of problems.slice(0, only ? 50 : 2)) console.log('   ', p.slice(0, 700)); }
}
console.log(good, 'good', bad.length, 'bad');
