import { fileURLToPath } from 'node:url';
import { FileExchange, NatsExchange, NatsRefusal } from '@manyworlds/node/internal';
import { createSweepDiagnostic, type Exchange } from '@manyworlds/sweep/internal';
import type { CommandContext } from '../command-context.ts';

/** Options of {@link openExchange}. */
export interface OpenExchangeOptions {
	/** Time without a sign of life after which a batch is somebody else's [s]. */
	readonly leaseTime?: number;
	/** Batches in the queue at most. */
	readonly capacity?: number;
}

/** Connects to the queue of an address; undefined, with a diagnostic, when that cannot be done. */
export async function openExchange(
	context: CommandContext,
	url: string,
	options: OpenExchangeOptions = {},
): Promise<(Exchange & { setRunCount(count: number): void }) | undefined> {
	if (/^file:\/\//.test(url)) {
		try {
			return new FileExchange(fileURLToPath(url), options);
		} catch {
			context.report.add(createSweepDiagnostic('SWP043', `--queue: '${url}' is no folder, expected file:///FOLDER`));
			return undefined;
		}
	}
	if (!/^nats:\/\//.test(url)) {
		const reserved = /^redis:/.test(url) ? ' (redis:// is reserved and not there yet)' : '';
		context.report.add(
			createSweepDiagnostic(
				'SWP043',
				`--queue: '${url}' cannot be used${reserved}, expected nats://HOST:PORT/NAME or file:///FOLDER`,
			),
		);
		return undefined;
	}
	try {
		return await NatsExchange.connect(url, {
			env: context.io.env,
			...options,
			onStatus: (what) => context.note(`queue: ${what}`),
		});
	} catch (error) {
		if (!(error instanceof NatsRefusal)) throw error;
		const code = error.message.includes('no address') ? 'SWP043' : 'SWP042';
		context.report.add(createSweepDiagnostic(code, `--queue: ${error.message}`));
		return undefined;
	}
}

/** A configuration of nats-server with which an answer means that the disk has it. */
export const NATS_CONFIG = `# nats-server -c nats.conf
# Sweeps of Manyworlds: every message is on the disk before it is acknowledged.
port: 4222
http_port: 8222

jetstream {
  store_dir: "./nats-data"
  max_memory_store: 256MB
  max_file_store: 20GB
  # the default of two minutes loses what was acknowledged in them when the machine loses its power;
  # nats-server 2.9 does not know the key: remove it there
  sync_interval: always
}

# from the environment; a password of letters and digits needs no quotes
authorization {
  user: $NATS_USER
  password: $NATS_PASSWORD
}
`;
