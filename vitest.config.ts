import { defineConfig } from 'vitest/config';

const conditions = ['@manyworlds/source', 'module', 'node', 'import', 'default'];

export default defineConfig({
	resolve: { conditions },
	ssr: { resolve: { conditions } },
	test: {
		include: ['packages/*/test/**/*.test.ts', '{scripts,conformance,benchmarks,fuzz}/**/*.test.ts'],
		globalSetup: ['./scripts/unpack-browser.ts'],
		reporters: ['default', './scripts/summary-reporter.ts'],
		// one process for each core: the default leaves one out, which is half of two
		maxWorkers: '100%',
		// files share the modules of their process: loading them anew for each file takes longer than the tests
		isolate: false,
		// ends what hangs; a loaded machine takes many times what a quiet one does
		testTimeout: 300_000,
		hookTimeout: 300_000,
	},
});
