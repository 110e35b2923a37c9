import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { RunResult } from '@manyworlds/sweep/internal';
import { afterEach, describe, expect, test } from 'vitest';
import { parseS3Url, S3Client, signRequest } from '../src/sweep/s3-client.ts';
import { S3Results } from '../src/sweep/s3-results.ts';

const result = (key: string, more: Partial<RunResult> = {}): RunResult => ({
	version: 1,
	key,
	status: 'ok',
	steps: 10,
	state: 'abc',
	metrics: { 'last(energy)': 1.5 },
	...more,
});

/** A bucket in memory with the faults of real ones. */
class Bucket {
	readonly objects = new Map<string, Buffer>();
	/** Puts whose answer is lost after they were done. */
	lostAnswers = 0;
	/** Requests that end with an error of the service before they do anything. */
	busy = 0;
	isConditional = true;
	puts = 0;
	readonly #server: Server;

	constructor() {
		this.#server = createServer((request, response) => {
			const chunks: Buffer[] = [];
			request.on('data', (chunk: Buffer) => chunks.push(chunk));
			request.on('end', () => {
				const url = new URL(request.url!, 'http://x');
				const name = decodeURIComponent(url.pathname).replace(/^\/bucket\/?/, '');
				const answer = (status: number, body: Buffer | string = ''): void => {
					response.writeHead(status).end(request.method === 'HEAD' ? '' : body);
				};
				if (this.busy > 0) {
					this.busy--;
					return answer(503, '<Error><Code>SlowDown</Code></Error>');
				}
				if (!request.headers.authorization?.startsWith('AWS4-HMAC-SHA256 ')) return answer(403);
				if (request.method === 'PUT') {
					this.puts++;
					const isThere = this.objects.has(name);
					if (this.isConditional && request.headers['if-none-match'] === '*' && isThere) return answer(412);
					this.objects.set(name, Buffer.concat(chunks));
					if (this.lostAnswers > 0 && !name.includes('probe')) {
						this.lostAnswers--;
						request.socket.destroy();
						return undefined;
					}
					return answer(200);
				}
				if (request.method === 'DELETE') {
					this.objects.delete(name);
					return answer(204);
				}
				if (name === '') {
					// pages of two, as a service has pages of a thousand
					const prefix = url.searchParams.get('prefix')!;
					const from = Number(url.searchParams.get('continuation-token') ?? 0);
					const keys = [...this.objects.keys()].filter((key) => key.startsWith(prefix)).sort();
					const page = keys.slice(from, from + 2).map((key) => `<Contents><Key>${key}</Key></Contents>`);
					const more = from + 2 < keys.length;
					const next = more ? `<NextContinuationToken>${from + 2}</NextContinuationToken>` : '';
					return answer(
						200,
						`<ListBucketResult><IsTruncated>${more}</IsTruncated>${page.join('')}${next}</ListBucketResult>`,
					);
				}
				const found = this.objects.get(name);
				return found === undefined ? answer(404) : answer(200, found);
			});
		});
	}

	async open(): Promise<Record<string, string>> {
		await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve));
		const { port } = this.#server.address() as AddressInfo;
		return {
			AWS_ACCESS_KEY_ID: 'me',
			AWS_SECRET_ACCESS_KEY: 'secret',
			AWS_ENDPOINT_URL: `http://127.0.0.1:${port}`,
		};
	}

	close(): void {
		this.#server.closeAllConnections();
		this.#server.close();
	}
}

const buckets: Bucket[] = [];
afterEach(() => {
	for (const bucket of buckets.splice(0)) bucket.close();
});

async function makeBucket(
	faults: Partial<Pick<Bucket, 'isConditional'>> = {},
): Promise<[Bucket, Record<string, string>]> {
	const bucket = Object.assign(new Bucket(), faults);
	buckets.push(bucket);
	return [bucket, await bucket.open()];
}

async function collected(results: S3Results): Promise<string[]> {
	const keys: string[] = [];
	await results.collect((bytes, series) => {
		const { key, state } = JSON.parse(new TextDecoder().decode(bytes)) as RunResult;
		keys.push(`${key} ${state}${series === undefined ? '' : ` ${series.join()}`}`);
	});
	return keys.sort();
}

describe('results in a bucket', () => {
	test('a batch is one object, is there for others, and is given to a collector once', async () => {
		const [bucket, env] = await makeBucket();
		const results = await S3Results.open('s3://bucket/study/one', env);
		expect(bucket.objects.size).toBe(0);
		const batch = ['a', 'b', 'c'].map((key) => ({ result: result(key) }));
		expect(await results.missing(['a', 'b', 'c'], 1)).toEqual(['a', 'b', 'c']);
		expect(await results.commit(batch)).toEqual(['new', 'new', 'new']);
		expect([...bucket.objects.keys()].every((key) => key.startsWith('study/one/runs/'))).toBe(true);
		expect(bucket.objects.size).toBe(1);
		expect(await results.missing(['a', 'b', 'c'], 1)).toEqual([]);
		await results.commit([{ result: result('d', { series: true }), series: new Uint8Array([7, 8]) }]);
		await results.commit([{ result: result('e') }]);
		expect(await results.missing(['d', 'x'], 2)).toEqual(['x']);
		expect(await collected(results)).toEqual(['a abc', 'b abc', 'c abc', 'd abc 7,8', 'e abc']);
		expect(await collected(results)).toEqual([]);
	});

	test('a put whose answer was lost is found done, and counts once', async () => {
		const [bucket, env] = await makeBucket();
		const results = await S3Results.open('s3://bucket/p', env);
		bucket.lostAnswers = 1;
		expect(await results.commit([{ result: result('a') }])).toEqual(['same']);
		expect(await collected(results)).toEqual(['a abc']);
	});

	test('a service that is busy is asked again', async () => {
		const [bucket, env] = await makeBucket();
		const results = await S3Results.open('s3://bucket/p', env);
		bucket.busy = 2;
		expect(await results.commit([{ result: result('a') }])).toEqual(['new']);
	});

	test('two workers with one batch: the first is kept; another result is kept beside it', async () => {
		const [, env] = await makeBucket();
		const [one, two] = [await S3Results.open('s3://bucket/p', env), await S3Results.open('s3://bucket/p', env)];
		expect(await one.commit([{ result: result('a') }])).toEqual(['new']);
		expect(await two.commit([{ result: result('a') }])).toEqual(['same']);
		expect(await two.commit([{ result: result('a', { state: 'other' }) }])).toEqual(['different']);
		expect(await collected(one)).toEqual(['a abc', 'a other']);
	});

	test('attempts of workers are counted', async () => {
		const [, env] = await makeBucket();
		const results = await S3Results.open('s3://bucket/p', env);
		expect(await results.mark('a', 'here')).toEqual(['here']);
		expect([...(await results.mark('a', 'there'))].sort()).toEqual(['here', 'there']);
	});

	test('a store that lets the second writer win is refused', async () => {
		const [, env] = await makeBucket({ isConditional: false });
		await expect(S3Results.open('s3://bucket/p', env)).rejects.toThrow(/replaces objects/);
	});

	test('addresses and credentials that cannot be used say why', async () => {
		expect(() => parseS3Url('s3://', {})).toThrow(/not the address of a store/);
		expect(() => parseS3Url('s3://bucket/p', {})).toThrow(/AWS_ACCESS_KEY_ID/);
		expect(() =>
			parseS3Url('s3://bucket/p', { AWS_ACCESS_KEY_ID: 'a', AWS_SECRET_ACCESS_KEY: 'b', AWS_ENDPOINT_URL: 'nowhere' }),
		).toThrow(/AWS_ENDPOINT_URL/);
	});
});

// the examples of AWS's documentation of Signature Version 4 for S3, with their credentials
test.each([
	['GET', '/', { lifecycle: '' }, 'fea454ca298b7da1c68078a5d1bdbfbbe0d65c699e0f91ac7a200a0136783543'],
	['GET', '/', { 'max-keys': '2', prefix: 'J' }, '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7'],
])('%s %s %j has the published signature', (method, path, query, signature) => {
	const { headers } = signRequest(
		{
			endpoint: 'https://examplebucket.s3.amazonaws.com',
			region: 'us-east-1',
			accessKey: 'AKIAIOSFODNN7EXAMPLE',
			secretKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
		},
		new Date('2013-05-24T00:00:00Z'),
		{ method, path, query, headers: {}, body: new Uint8Array() },
	);
	expect(headers['authorization']).toContain(`Signature=${signature}`);
});

test('a service that is not there is told as such', async () => {
	const place = { endpoint: 'http://127.0.0.1:9', region: 'us-east-1', bucket: 'b', prefix: '' };
	const client = new S3Client({ ...place, accessKey: 'a', secretKey: 'b' }, 0.1);
	await expect(client.read('x')).rejects.toThrow(/does not answer/);
});
