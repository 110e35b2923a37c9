import { createHash, createHmac } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';

/** Where objects are, and who asks for them. */
export interface S3Place {
	/** `https://HOST[:PORT]` of the service. */
	readonly endpoint: string;
	readonly region: string;
	readonly bucket: string;
	/** What the names of all objects begin with, without a slash at the end; '' for the whole bucket. */
	readonly prefix: string;
	readonly accessKey: string;
	readonly secretKey: string;
	readonly sessionToken?: string;
}

/** A store that cannot be used, with a reason for people. */
export class S3Refusal extends Error {
	override readonly name: string = 'S3Refusal';
}

/** An answer of the service. */
export interface S3Answer {
	readonly status: number;
	readonly bytes: Uint8Array;
}

const TRIES = 8;
const FIRST_DELAY = 100;
/** Longest time of one try [ms]. */
const TRY_TIME = 30_000;

/**
 * Objects of a bucket by the S3 interface, with paths in the address (`/BUCKET/NAME`), which all servers know. Requests are signed
 * (AWS Signature Version 4) and tried again while the service is away.
 */
export class S3Client {
	readonly place: S3Place;
	readonly #firstDelay: number;

	/** `firstDelay` is the time before something is tried the second time [ms], doubled each time. */
	constructor(place: S3Place, firstDelay: number = FIRST_DELAY) {
		this.place = place;
		this.#firstDelay = firstDelay;
	}

	/** Creates an object; false when one of that name is there. A try whose answer was lost may have made it. */
	async create(name: string, bytes: Uint8Array): Promise<boolean> {
		const { status, bytes: answer } = await this.#ask('PUT', name, {}, bytes, { 'if-none-match': '*' });
		// 409 is another writer of the same name at the same moment
		if (status === 412 || status === 409) return false;
		if (status >= 300) throw refusal(status, answer, this.place);
		return true;
	}

	/** The bytes of an object; undefined when there is none. */
	async read(name: string): Promise<Uint8Array | undefined> {
		const { status, bytes } = await this.#ask('GET', name);
		if (status === 404) return undefined;
		if (status >= 300) throw refusal(status, bytes, this.place);
		return bytes;
	}

	async has(name: string): Promise<boolean> {
		const { status, bytes } = await this.#ask('HEAD', name);
		if (status === 404) return false;
		if (status >= 300) throw refusal(status, bytes, this.place);
		return true;
	}

	async remove(name: string): Promise<void> {
		await this.#ask('DELETE', name);
	}

	/** Names of the objects below a folder, without it, in order. */
	async list(folder: string): Promise<string[]> {
		const prefix = this.#key(`${folder}/`);
		const names: string[] = [];
		for (let token: string | undefined, isMore = true; isMore; ) {
			const query = { 'list-type': '2', prefix, ...(token !== undefined && { 'continuation-token': token }) };
			const { status, bytes } = await this.#ask('GET', undefined, query);
			const text = new TextDecoder().decode(bytes);
			if (status >= 300) throw refusal(status, bytes, this.place);
			for (const [, key] of text.matchAll(/<Key>([^<]*)<\/Key>/g)) names.push(plainText(key!).slice(prefix.length));
			token = plainText(/<NextContinuationToken>([^<]*)</.exec(text)?.[1] ?? '');
			isMore = /<IsTruncated>true</.test(text) && token !== '';
		}
		return names;
	}

	#key(name: string): string {
		return this.place.prefix === '' ? name : `${this.place.prefix}/${name}`;
	}

	async #ask(
		method: string,
		name: string | undefined,
		query: Readonly<Record<string, string>> = {},
		body: Uint8Array = new Uint8Array(),
		headers: Readonly<Record<string, string>> = {},
	): Promise<S3Answer> {
		const { endpoint, bucket } = this.place;
		const path = `/${bucket}${name === undefined ? '' : `/${this.#key(name)}`}`;
		for (let attempt = 1; ; attempt++) {
			const signed = signRequest(this.place, new Date(), { method, path, query, headers, body });
			try {
				const response = await fetch(`${endpoint}${encodePath(path)}${signed.query && `?${signed.query}`}`, {
					method,
					headers: signed.headers,
					...(method === 'PUT' && { body: body as Uint8Array<ArrayBuffer> }),
					signal: AbortSignal.timeout(TRY_TIME),
				});
				const bytes = new Uint8Array(await response.arrayBuffer());
				if ((response.status < 500 && response.status !== 429) || attempt >= TRIES)
					return { status: response.status, bytes };
			} catch (error) {
				if (attempt >= TRIES) {
					const { message, cause } = error as Error;
					throw new S3Refusal(
						`the store at ${endpoint} does not answer: ${(cause as Error | undefined)?.message ?? message}`,
					);
				}
			}
			await sleep(this.#firstDelay * 2 ** (attempt - 1));
		}
	}
}

/** What is signed of a request. */
export interface UnsignedRequest {
	readonly method: string;
	/** Of the address, as it is, not encoded. */
	readonly path: string;
	readonly query: Readonly<Record<string, string>>;
	readonly headers: Readonly<Record<string, string>>;
	readonly body: Uint8Array;
}

/** The headers and the query of a signed request (AWS Signature Version 4 for S3). */
export function signRequest(
	place: Pick<S3Place, 'endpoint' | 'region' | 'accessKey' | 'secretKey' | 'sessionToken'>,
	now: Date,
	{ method, path, query, headers, body }: UnsignedRequest,
): { readonly headers: Record<string, string>; readonly query: string } {
	const time = now.toISOString().replaceAll(/[-:]|\.\d{3}/g, '');
	const day = time.slice(0, 8);
	const hash = createHash('sha256').update(body).digest('hex');
	const all: Record<string, string> = {
		...headers,
		host: new URL(place.endpoint).host,
		'x-amz-content-sha256': hash,
		'x-amz-date': time,
		...(place.sessionToken !== undefined && { 'x-amz-security-token': place.sessionToken }),
	};
	const names = Object.keys(all).sort();
	const asked = Object.entries(query)
		.map(([name, value]) => `${encode(name)}=${encode(value)}`)
		.sort()
		.join('&');
	const canonical = [
		method,
		encodePath(path),
		asked,
		...names.map((name) => `${name}:${all[name]!.trim()}`),
		'',
		names.join(';'),
		hash,
	].join('\n');
	const scope = `${day}/${place.region}/s3/aws4_request`;
	const text = ['AWS4-HMAC-SHA256', time, scope, createHash('sha256').update(canonical).digest('hex')].join('\n');
	let key: Uint8Array = new TextEncoder().encode(`AWS4${place.secretKey}`);
	for (const part of [day, place.region, 's3', 'aws4_request']) key = createHmac('sha256', key).update(part).digest();
	const signature = createHmac('sha256', key).update(text).digest('hex');
	const { host: _, ...sent } = all;
	return {
		headers: {
			...sent,
			authorization: `AWS4-HMAC-SHA256 Credential=${place.accessKey}/${scope},SignedHeaders=${names.join(';')},Signature=${signature}`,
		},
		query: asked,
	};
}

/** The place that `s3://BUCKET/PREFIX` and the usual variables of the environment name; throws an {@link S3Refusal} for anything else. */
export function parseS3Url(url: string, env: Readonly<Record<string, string | undefined>>): S3Place {
	const match = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])(?:\/([\w!.*'()/-]*))?$/.exec(url);
	if (match === null) throw new S3Refusal(`'${url}' is not the address of a store, expected s3://BUCKET/PREFIX`);
	const [accessKey, secretKey] = [env['AWS_ACCESS_KEY_ID'], env['AWS_SECRET_ACCESS_KEY']];
	if (!accessKey || !secretKey)
		throw new S3Refusal(`'${url}' needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY in the environment`);
	const region = env['AWS_REGION'] || env['AWS_DEFAULT_REGION'] || 'us-east-1';
	const endpoint = env['AWS_ENDPOINT_URL_S3'] || env['AWS_ENDPOINT_URL'] || `https://s3.${region}.amazonaws.com`;
	if (!URL.canParse(endpoint)) throw new S3Refusal(`AWS_ENDPOINT_URL is '${endpoint}', expected http(s)://HOST:PORT`);
	return {
		endpoint: new URL(endpoint).origin,
		region,
		bucket: match[1]!,
		prefix: (match[2] ?? '').replace(/\/+$/, ''),
		accessKey,
		secretKey,
		...(env['AWS_SESSION_TOKEN'] && { sessionToken: env['AWS_SESSION_TOKEN'] }),
	};
}

function refusal(status: number, bytes: Uint8Array, { endpoint, bucket }: S3Place): S3Refusal {
	const text = new TextDecoder().decode(bytes);
	const what = plainText(/<Message>([^<]*)</.exec(text)?.[1] ?? /<Code>([^<]*)</.exec(text)?.[1] ?? '');
	return new S3Refusal(
		`the store at ${endpoint} refuses the bucket '${bucket}': ${what || `status ${status}`} (${status})`,
	);
}

/** Characters as they are signed: all but letters, digits and -._~ by their bytes. */
function encode(text: string): string {
	return encodeURIComponent(text).replaceAll(/[!'()*]/g, (mark) => `%${mark.charCodeAt(0).toString(16).toUpperCase()}`);
}

function encodePath(path: string): string {
	return path.split('/').map(encode).join('/');
}

function plainText(xml: string): string {
	return xml
		.replaceAll('&lt;', '<')
		.replaceAll('&gt;', '>')
		.replaceAll('&quot;', '"')
		.replaceAll('&#39;', "'")
		.replaceAll('&amp;', '&');
}
