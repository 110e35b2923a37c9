import { defineConfig } from 'vitest/config';

const conditions = ['@manyworlds/source', 'module', 'node', 'import', 'default'];

export default defineConfig({
	resolve: { conditions },
	ssr: { resolve: { conditions } },
	test: {
		include: ['packages/*/test/**/*.test.ts', '{scripts,conformance,benchmarks,fuzz}/**/*.test.ts'],
		reporters: ['default', './scripts/summary-reporter.ts'],
		testTimeout: 30_000,
	},
});
