import type { Severity } from '@manyworlds/core';
import { SEVERITIES } from '@manyworlds/core/internal';
import picomatch from 'picomatch/posix.js';
import * as z from 'zod';
import { chooseRules } from '../asset/choose-rules.ts';
import type { CheckConfig, ConfigRules } from '../check-config.ts';
import { THRESHOLDS, type Thresholds } from '../check-options.ts';
import type { RepCode } from '../diagnostics.ts';

// the `error` of a schema says what is expected; a text that names no rule is told by a sentence of its own

/** A text that names rules: an identifier or a section. */
const ruleName = z.string({ error: 'a rule or section' }).superRefine((text, context) => {
	for (const message of chooseRules([text]).problems) context.addIssue({ code: 'custom', message });
});

const ruleSet = z
	.array(ruleName, { error: 'a list of rules and sections' })
	.transform((texts): ReadonlySet<RepCode> => chooseRules(texts).rules);

const ruleSeverity = z.enum([...SEVERITIES, 'off'], { error: "a severity or 'off'" });

const severityMap = z
	.record(ruleName, ruleSeverity, { error: 'an object' })
	.transform((entries): ReadonlyMap<RepCode, Severity | 'off'> => {
		const severities = new Map<RepCode, Severity | 'off'>();
		for (const [name, severity] of Object.entries(entries)) {
			for (const rule of chooseRules([name]).rules) severities.set(rule, severity);
		}
		return severities;
	});

const ruleFields = { select: ruleSet.optional(), ignore: ruleSet.optional(), severities: severityMap.optional() };

const pathRules = strict(ruleFields).transform(toRules);

const threshold = z.number({ error: 'a number, 0 or more' }).min(0, { error: 'a number, 0 or more' }).optional();

const thresholds = strict(
	Object.fromEntries(Object.keys(THRESHOLDS).map((name) => [name, threshold])) as Record<
		keyof Thresholds,
		typeof threshold
	>,
);

const prefixes = z.array(z.string({ error: 'a prefix' }), { error: 'a list of prefixes' });

const count = z.int({ error: 'a whole number, 1 or more' }).min(1, { error: 'a whole number, 1 or more' });

const check = strict({
	profile: oneOf(['distributed', 'source']).optional(),
	payloadPolicy: oneOf(['kinematics-visible', 'entry']).optional(),
	...ruleFields,
	failOn: oneOf([...SEVERITIES, 'never']).optional(),
	thresholds: thresholds.optional(),
	vendors: objectOf(prefixes).optional(),
	maxVariants: count.optional(),
	paths: objectOf(pathRules).optional(),
});

/** A file `manyworlds.json`; other commands may have entries of their own beside `check`. */
export const checkConfigSchema: z.ZodType<CheckConfig> = z
	.looseObject({ check: check.optional() }, { error: 'an object' })
	.transform(({ check: entries = {} }): CheckConfig => {
		const { profile, payloadPolicy, failOn, maxVariants } = entries;
		return {
			...toRules(entries),
			...(profile !== undefined && { profile }),
			...(payloadPolicy !== undefined && { payloadPolicy }),
			...(failOn !== undefined && { failOn }),
			...(maxVariants !== undefined && { maxVariants }),
			thresholds: (entries.thresholds ?? {}) as Partial<Thresholds>,
			vendors: new Map(Object.entries(entries.vendors ?? {})),
			paths: Object.entries(entries.paths ?? {}).map(([pattern, rules]) => {
				return { ...rules, pattern, matches: pathMatcher(pattern) };
			}),
		};
	});

function toRules({
	select,
	ignore = new Set(),
	severities = new Map(),
}: z.output<z.ZodObject<typeof ruleFields>>): ConfigRules {
	return { ...(select !== undefined && { select }), ignore, severities };
}

/** Whether a file is meant by a glob; a folder stands for all below it. */
function pathMatcher(glob: string): (file: string) => boolean {
	const pattern = glob.replace(/^\.\//, '').replace(/\/$/, '');
	return picomatch([pattern, `${pattern}/**`], { dot: true });
}

/** An object with known entries only; unknown ones are told with those that are known. */
function strict<const S extends z.ZodRawShape>(shape: S): z.ZodObject<S, z.core.$strict> {
	return z.strictObject(shape, {
		error: ({ code }) => (code === 'unrecognized_keys' ? Object.keys(shape).join(', ') : 'an object'),
	});
}

function objectOf<S extends z.ZodType>(value: S): z.ZodRecord<z.ZodString, S> {
	return z.record(z.string(), value, { error: 'an object' });
}

function oneOf<const V extends readonly string[]>(values: V): z.ZodEnum<{ [K in V[number]]: K }> {
	return z.enum(values, { error: `one of ${values.join(', ')}` });
}
