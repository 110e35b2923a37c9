import type { Diagnostic, Severity } from '@manyworlds/core';
import type { CheckOptions, PayloadPolicy, Profile, Thresholds } from './check-options.ts';
import type { RepCode } from './diagnostics.ts';

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

/** A configuration that says nothing. */
export const EMPTY_CONFIG: CheckConfig = {
	ignore: new Set(),
	severities: new Map(),
	thresholds: {},
	vendors: new Map(),
	paths: [],
};

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

/** A finding as the entries for its path have it; undefined when they ignore it. */
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
