import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readJson } from './files.ts';
import { isObject } from './json.ts';

const EXPECTED_DIR = fileURLToPath(new URL('../expected', import.meta.url));

/**
 * Cases known to fail, from `expected/SUITE.json` with `/` in the suite's name written `-`:
 * `{"group": [{"case": "name", "reason": "why"}]}`. A list may only shrink.
 */
export class Expectations {
	readonly #reasons = new Map<string, string>();

	/** @param lists - parsed content of the data file; anything of another shape throws */
	constructor(lists: unknown = {}) {
		if (!isObject(lists)) throw new TypeError('expected failures: the file must hold an object of lists');
		for (const [group, list] of Object.entries(lists)) {
			if (!Array.isArray(list)) throw new TypeError(`expected failures: '${group}' must be a list`);
			for (const entry of list) {
				if (!isObject(entry) || typeof entry['case'] !== 'string' || typeof entry['reason'] !== 'string') {
					throw new TypeError(`expected failures: entries of '${group}' need the texts 'case' and 'reason'`);
				}
				this.#reasons.set(`${group}\n${entry['case']}`, entry['reason']);
			}
		}
	}

	/** The list of a suite; empty when it has no file. */
	static load(suite: string, dir: string = EXPECTED_DIR): Expectations {
		const path = join(dir, `${suite.replaceAll('/', '-')}.json`);
		return new Expectations(existsSync(path) ? readJson(path) : {});
	}

	/** Why a case is expected to fail, or undefined when it is not. */
	reason(group: string, name: string): string | undefined {
		return this.#reasons.get(`${group}\n${name}`);
	}
}
