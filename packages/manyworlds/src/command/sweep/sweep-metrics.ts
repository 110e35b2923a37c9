import { createServer, type Server } from 'node:http';

/** Counts of a coordinator or worker, as Prometheus reads them. */
export class SweepMetrics {
	readonly #values = new Map<string, number>();
	readonly #help: Readonly<Record<string, string>> = {
		runs_total: 'Runs that were committed, by status.',
		steps_total: 'Steps of the solver in committed runs.',
		leases_total: 'Batches that were taken.',
		redeliveries_total: 'Batches that somebody else had before.',
		commit_seconds_total: 'Time spent on committing.',
		idle_total: 'Looks at an empty queue.',
		queue_pending: 'Batches that wait.',
		queue_leased: 'Batches that workers have.',
		refused_messages_total: 'Messages that were no batches of the sweep.',
		version_skew_total: 'Batches of another version of the program.',
		cache_hits_total: 'Assets that were in the cache.',
	};

	add(name: string, amount = 1): void {
		this.#values.set(name, (this.#values.get(name) ?? 0) + amount);
	}

	set(name: string, value: number): void {
		this.#values.set(name, value);
	}

	/** The text format of Prometheus, sorted by name. */
	toText(): string {
		const lines: string[] = [];
		let last = '';
		for (const [name, value] of [...this.#values].sort(([a], [b]) => (a < b ? -1 : 1))) {
			const base = name.replace(/\{.*/, '');
			if (base !== last) {
				const kind = base.endsWith('_total') ? 'counter' : 'gauge';
				lines.push(
					`# HELP manyworlds_sweep_${base} ${this.#help[base] ?? base}`,
					`# TYPE manyworlds_sweep_${base} ${kind}`,
				);
			}
			last = base;
			lines.push(`manyworlds_sweep_${name} ${value}`);
		}
		return `${lines.join('\n')}\n`;
	}

	/** Serves the text at `[HOST]:PORT/metrics`; rejects when the port cannot be had. */
	async serve(address: string): Promise<{ readonly port: number; readonly close: () => void }> {
		const match = /^(.*):(\d{1,5})$/.exec(address);
		if (match === null) throw new Error(`'${address}' is no [HOST]:PORT`);
		const server: Server = createServer((request, response) => {
			const isKnown = request.url === '/metrics' || request.url === '/';
			response.writeHead(isKnown ? 200 : 404, { 'content-type': 'text/plain; version=0.0.4' });
			response.end(isKnown ? this.toText() : '');
		});
		await new Promise<void>((resolve, reject) => {
			server.once('error', reject);
			server.listen(Number(match[2]), match[1] || '127.0.0.1', resolve);
		});
		server.unref();
		const own = server.address();
		return { port: typeof own === 'object' && own !== null ? own.port : 0, close: () => server.close() };
	}
}
