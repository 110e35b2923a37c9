import { quote } from '@manyworlds/core';
import type { FixParameters } from '@manyworlds/rep158/internal';
import type { Command } from 'commander';
import { Option } from 'commander';
import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';

/** Options that tell fixes what an asset does not say. */
export interface FixParameterOptions {
	readonly assetVersion?: string;
	readonly identifier?: string;
	readonly packageUri?: string;
	readonly forward?: string;
	readonly units?: 'composed' | 'declared';
	readonly staticFriction?: string;
	readonly dynamicFriction?: string;
	readonly restitution?: string;
	readonly density?: string;
	readonly limits?: readonly string[];
	readonly continuous?: readonly string[];
	readonly anchor?: 'rep' | 'movable';
	readonly vendorHook?: 'entry' | 'variant';
	readonly selectVariant?: readonly string[];
	readonly jointName?: readonly string[];
	readonly approximation?: string;
}

/** Adds the options to a command. */
export function addFixParameters(
	command: Command,
	collect: (item: string, items?: readonly string[]) => string[],
): Command {
	return command
		.option('--asset-version <version>', 'assetInfo.version of the asset')
		.option('--identifier <name>', 'assetInfo.identifier of the asset; the name of the file without it')
		.option('--package-uri <uri>', 'package:// address that the asset is published under')
		.option('--forward <axis>', 'direction that an asset with Y up faces, such as +z')
		.addOption(new Option('--units <reading>', 'lengths of layers with other units').choices(['composed', 'declared']))
		.option('--static-friction <number>', 'of physics materials that are made')
		.option('--dynamic-friction <number>', 'of physics materials that are made')
		.option('--restitution <number>', 'of physics materials that are made')
		.option('--density <number>', 'kg/m³ of bodies without a mass')
		.option('--limits <joint=lower:upper>', 'limits of a joint without any, in degrees or metres; repeatable', collect)
		.option('--continuous <joint>', 'a joint that turns without end; repeatable', collect)
		.addOption(new Option('--anchor <form>', 'how a fixed base is anchored').choices(['rep', 'movable']))
		.addOption(
			new Option('--vendor-hook <form>', 'how layers of vendors are reached: by entry files, or by variants').choices([
				'entry',
				'variant',
			]),
		)
		.option('--select-variant <set=variant>', 'selection of a variant set without one; repeatable', collect)
		.option('--joint-name <prim=name>', 'ROS name of a joint; repeatable', collect)
		.option('--approximation <token>', 'of mesh colliders without one');
}

/** The parameters that the options give; undefined, with a diagnostic, when one cannot be understood. */
export function fixParameters(context: CommandContext, options: FixParameterOptions): FixParameters | undefined {
	try {
		return {
			...text('version', options.assetVersion),
			...text('identifier', options.identifier),
			...text('packageUri', options.packageUri),
			...(options.forward !== undefined && { forward: parseAxis(options.forward) }),
			...(options.units !== undefined && { units: options.units }),
			...number('staticFriction', options.staticFriction),
			...number('dynamicFriction', options.dynamicFriction),
			...number('restitution', options.restitution),
			...number('density', options.density),
			...(options.limits !== undefined && { limits: Object.fromEntries(options.limits.map(parseLimits)) }),
			...(options.continuous !== undefined && { continuous: options.continuous }),
			...(options.anchor !== undefined && { anchor: options.anchor }),
			...(options.vendorHook !== undefined && { vendorHook: options.vendorHook }),
			...(options.selectVariant !== undefined && { variants: pairs('--select-variant', options.selectVariant) }),
			...(options.jointName !== undefined && { jointNames: pairs('--joint-name', options.jointName) }),
			...text('approximation', options.approximation),
		};
	} catch (error) {
		if (!(error instanceof RangeError)) throw error;
		context.report.add(createDiagnostic('CLI006', error.message));
		return undefined;
	}
}

function text(name: string, value: string | undefined): Record<string, string> {
	return value === undefined ? {} : { [name]: value };
}

function number(name: string, value: string | undefined): Record<string, number> {
	if (value === undefined) return {};
	const parsed = Number(value);
	if (value.trim() !== '' && Number.isFinite(parsed) && parsed >= 0) return { [name]: parsed };
	throw new RangeError(`${name} is ${quote(value)}, expected a number that is not negative`);
}

function parseAxis(value: string): string {
	if (/^[+-][xyz]$/.test(value)) return value;
	throw new RangeError(`--forward is ${quote(value)}, expected an axis with its sign, such as +z`);
}

function parseLimits(item: string): [string, [number, number]] {
	const [, name, lower, upper] = /^([^=]+)=([^:]+):(.+)$/.exec(item) ?? [];
	const range: [number, number] = [Number(lower), Number(upper)];
	if (name !== undefined && range[0] <= range[1]) return [name, range];
	throw new RangeError(`--limits is ${quote(item)}, expected JOINT=LOWER:UPPER with LOWER not above UPPER`);
}

function pairs(option: string, items: readonly string[]): Record<string, string> {
	return Object.fromEntries(
		items.map((item) => {
			const [, name, value] = /^([^=]+)=(.+)$/.exec(item) ?? [];
			if (name === undefined || value === undefined)
				throw new RangeError(`${option} is ${quote(item)}, expected NAME=VALUE`);
			return [name, value];
		}),
	);
}
