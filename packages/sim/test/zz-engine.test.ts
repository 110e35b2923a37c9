import { it } from 'vitest';
import { RECORDED_SCENES } from './recorded-scenes.ts';
import { Runner } from './make-scene.ts';
it('compare', () => {
	for (const [name, scene] of Object.entries(RECORDED_SCENES)) {
		const a = new Runner(scene.build(), { ...scene.options, engine: 'reference' });
		const b = new Runner(scene.build(), { ...scene.options, engine: 'wasm' });
		scene.prepare?.(a); scene.prepare?.(b);
		let worst = 0, worstAt = '';
		for (let s = 0; s < 20; s++) {
			a.step(scene.dt ?? 0.005); b.step(scene.dt ?? 0.005);
			for (const key of ['jointQ', 'jointQd', 'bodyQ', 'bodyQd'] as const) {
				const x = a.state[key], y = b.state[key]; let size = 0; for (const v of x) size = Math.max(size, Math.abs(v));
				for (let i = 0; i < x.length; i++) { const d = Math.abs(x[i]! - y[i]!) / (size || 1); if (!(d <= worst)) { worst = d; worstAt = `${key}[${i}] step ${s}`; } }
			}
			if (a.solver.outcome.iterations[0] !== b.solver.outcome.iterations[0]) { worstAt += ` iter ${a.solver.outcome.iterations[0]} ${b.solver.outcome.iterations[0]}`; }
			const f = a.contacts.rigidForce!, g = b.contacts.rigidForce!;
			let fs = 0, fd = 0; for (let i = 0; i < 6 * a.contacts.rigidCount; i++) { fs = Math.max(fs, Math.abs(f[i]!)); fd = Math.max(fd, Math.abs(f[i]! - g[i]!)); }
			if (fd > 1e-7 * fs) worstAt += ` force ${fd} of ${fs}`;
		}
		console.log(name, b.solver.engine, b.solver.engineNote ?? '', worst.toExponential(2), worstAt);
	}
});
