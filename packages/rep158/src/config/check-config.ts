import { type Diagnostic, quote, type Report, SEVERITIES, type Severity } from '@manyworlds/core';
import picomatch from 'picomatch/posix.js';
import { chooseRules } from '../asset/choose-rules.ts';
import { type CheckOptions, type PayloadPolicy, type Profile, THRESHOLDS, type Thresholds } from '../check-options.ts';
import { createDiagnostic, type RepCode } from '../diagnostics.ts';

/** What a configuration file says about some paths, or about all. @public */
export interface ConfigRules {
	readonly select?: ReadonlySet<RepCode>;
	readonly ignore: ReadonlySet<RepCode>;
	readonly severities: ReadonlyMap<RepCode, Severity | 'off'>;
}

/** A configuration file of `manyworlds check`. @public */
export interface CheckConfig extends ConfigRules {
	readonly profile?: Profile;
	readonly payloadPolicy?: PayloadPolicy;
	readonly failOn?: Severity | 'never';
	readonly thresholds: Partial<Thresholds>;
	readonly vendors: ReadonlyMap<string, readonly string[]>;
	readonly maxVariants?: number;
	/** Rules for the files that a pattern matches, relative to the folder of the configuration; later ones win. */
	readonly paths: readonly (ConfigRules & { readonly pattern: string; readonly matches: (file: string) => boolean })[];
}

/** A configuration that says nothing. @public */
export const EMPTY_CONFIG: CheckConfig = {
	ignore: new Set(),
	severities: new Map(),
	thresholds: {},
	vendors: new Map(),
	paths: [],
};

/**
 * Reads a configuration: JSON whose entry `check` is an object. Unknown entries and wrong types are errors.
 *
 * ```json
 * { "check": { "profile": "source", "severities": { "§1.3.2": "off" }, "paths": { "vendor/**": { "ignore": ["R1.2.5.5"] } } } }
 * ```
 * @public
 */
export function parseCheckConfig(text: string, file: string, report: Report): CheckConfig | undefined {
	const reader = new ConfigReader(file, report);
	let data: unknown;
	try {
		data = JSON.parse(text);
	} catch (error) {
		reader.problem(`it is no JSON: ${(error as Error).message}`);
		return undefined;
	}
	const config = reader.config(data);
	return reader.isFaulty ? undefined : config;
}

/** The options of a check that the configuration sets for all paths. @public */
export function configOptions(config: CheckConfig): CheckOptions {
	const severities = new Map(config.severities);
	for (const rule of config.ignore) severities.set(rule, 'off');
	return {
		...(config.profile !== undefined && { profile: config.profile }),
		...(config.payloadPolicy !== undefined && { payloadPolicy: config.payloadPolicy }),
		...(config.select !== undefined && { select: config.select }),
		...(config.maxVariants !== undefined && { maxVariants: config.maxVariants }),
		severities,
		thresholds: config.thresholds,
		vendors: config.vendors,
	};
}

/** A finding as the entries for its path have it; undefined when they ignore it. @public */
export function applyPaths(diagnostic: Diagnostic, config: CheckConfig, relativeFile: string): Diagnostic | undefined {
	let found: Diagnostic | undefined = diagnostic;
	for (const { matches, select, ignore, severities } of config.paths) {
		if (!matches(relativeFile)) continue;
		const code = diagnostic.code as RepCode;
		const severity = severities.get(code);
		const isDeselected = select !== undefined && isRep(code) && !select.has(code);
		if (ignore.has(code) || severity === 'off' || isDeselected) found = undefined;
		else if (severity !== undefined) found = { ...diagnostic, severity };
	}
	return found;
}

function isRep(code: string): boolean {
	return /^R\d/.test(code);
}

/** Whether a file is meant by a glob; a folder stands for all below it. */
function pathMatcher(glob: string): (file: string) => boolean {
	const pattern = glob.replace(/^\.\//, '').replace(/\/$/, '');
	return picomatch([pattern, `${pattern}/**`], { dot: true });
}

type Entries = Readonly<Record<string, unknown>>;

class ConfigReader {
	readonly #file: string;
	readonly #report: Report;
	isFaulty = false;

	constructor(file: string, report: Report) {
		this.#file = file;
		this.#report = report;
	}

	problem(what: string): void {
		this.isFaulty = true;
		this.#report.add(createDiagnostic('CHK003', `${quote(this.#file)}: ${what}`, { file: this.#file }));
	}

	config(data: unknown): CheckConfig {
		const whole = this.#object(data, 'the configuration');
		const check = whole['check'] === undefined ? {} : this.#object(whole['check'], 'check');
		this.#known(check, 'check', CHECK_KEYS);
		const profile = this.#choice<Profile>(check, 'profile', ['distributed', 'source']);
		const payloadPolicy = this.#choice<PayloadPolicy>(check, 'payloadPolicy', ['kinematics-visible', 'entry']);
		const failOn = this.#choice<Severity | 'never'>(check, 'failOn', [...SEVERITIES, 'never']);
		const maxVariants = this.#count(check, 'maxVariants');
		return {
			...this.#rules(check, 'check'),
			...(profile !== undefined && { profile }),
			...(payloadPolicy !== undefined && { payloadPolicy }),
			...(failOn !== undefined && { failOn }),
			...(maxVariants !== undefined && { maxVariants }),
			thresholds: this.#thresholds(check['thresholds']),
			vendors: this.#vendors(check['vendors']),
			paths: this.#paths(check['paths']),
		};
	}

	#rules(entries: Entries, where: string): ConfigRules {
		const select = entries['select'] === undefined ? undefined : this.#chosen(entries['select'], `${where}.select`);
		const severities = new Map<RepCode, Severity | 'off'>();
		const given = entries['severities'] === undefined ? {} : this.#object(entries['severities'], `${where}.severities`);
		for (const [name, severity] of Object.entries(given)) {
			const known = [...SEVERITIES, 'off' as const].find((at) => at === severity);
			if (known === undefined)
				this.problem(`${where}.severities.${name} is ${json(severity)}, expected a severity or 'off'`);
			else for (const rule of this.#chosen([name], `${where}.severities`)) severities.set(rule, known);
		}
		return {
			...(select !== undefined && { select }),
			ignore: entries['ignore'] === undefined ? new Set() : this.#chosen(entries['ignore'], `${where}.ignore`),
			severities,
		};
	}

	#paths(value: unknown): CheckConfig['paths'] {
		if (value === undefined) return [];
		return Object.entries(this.#object(value, 'check.paths')).map(([pattern, entry]) => {
			const where = `check.paths[${quote(pattern)}]`;
			const entries = this.#object(entry, where);
			this.#known(entries, where, PATH_KEYS);
			return { ...this.#rules(entries, where), pattern, matches: pathMatcher(pattern) };
		});
	}

	#chosen(value: unknown, where: string): ReadonlySet<RepCode> {
		if (!isTexts(value)) {
			this.problem(`${where} is ${json(value)}, expected a list of rules and sections`);
			return new Set();
		}
		const { rules, problems } = chooseRules(value);
		for (const problem of problems) this.problem(`${where}: ${problem}`);
		return rules;
	}

	#thresholds(value: unknown): Partial<Thresholds> {
		if (value === undefined) return {};
		const entries = this.#object(value, 'check.thresholds');
		this.#known(entries, 'check.thresholds', new Set(Object.keys(THRESHOLDS)));
		for (const [name, number] of Object.entries(entries)) {
			if (typeof number === 'number' && number >= 0) continue;
			this.problem(`check.thresholds.${name} is ${json(number)}, expected a number, 0 or more`);
		}
		return entries as Partial<Thresholds>;
	}

	#vendors(value: unknown): ReadonlyMap<string, readonly string[]> {
		const vendors = new Map<string, readonly string[]>();
		if (value === undefined) return vendors;
		for (const [name, prefixes] of Object.entries(this.#object(value, 'check.vendors'))) {
			if (isTexts(prefixes)) vendors.set(name, prefixes);
			else this.problem(`check.vendors.${name} is ${json(prefixes)}, expected a list of prefixes`);
		}
		return vendors;
	}

	#count(entries: Entries, name: string): number | undefined {
		const value = entries[name];
		if (value === undefined) return undefined;
		if (typeof value === 'number' && Number.isInteger(value) && value > 0) return value;
		this.problem(`check.${name} is ${json(value)}, expected a whole number, 1 or more`);
		return undefined;
	}

	#choice<V extends string>(entries: Entries, name: string, values: readonly V[]): V | undefined {
		const value = entries[name];
		if (value === undefined) return undefined;
		const found = values.find((at) => at === value);
		if (found === undefined) this.problem(`check.${name} is ${json(value)}, expected one of ${values.join(', ')}`);
		return found;
	}

	#object(value: unknown, where: string): Entries {
		if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Entries;
		this.problem(`${where} is ${json(value)}, expected an object`);
		return {};
	}

	#known(entries: Entries, where: string, names: ReadonlySet<string>): void {
		for (const name of Object.keys(entries)) {
			if (names.has(name)) continue;
			this.problem(`${where} has the unknown entry ${quote(name)}, expected ${[...names].join(', ')}`);
		}
	}
}

const CHECK_KEYS: ReadonlySet<string> = new Set([
	'profile',
	'payloadPolicy',
	'select',
	'ignore',
	'severities',
	'failOn',
	'thresholds',
	'vendors',
	'maxVariants',
	'paths',
]);
const PATH_KEYS: ReadonlySet<string> = new Set(['select', 'ignore', 'severities']);

function isTexts(value: unknown): value is string[] {
	return Array.isArray(value) && value.every((item) => typeof item === 'string');
}

function json(value: unknown): string {
	return quote(JSON.stringify(value) ?? 'nothing');
}
