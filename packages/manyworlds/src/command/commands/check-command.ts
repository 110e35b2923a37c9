import { Option } from 'commander';
import { collect, parseCount, withFiles } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import type { CheckCommandOptions } from './check.ts';

/** Formats of `manyworlds check`. */
const CHECK_FORMATS: readonly CheckCommandOptions['format'][] = [
	'text',
	'json',
	'sarif',
	'github',
	'gitlab',
	'junit',
	'rep',
];

/** Declares `manyworlds check`; what it does is loaded when it runs. */
export function declareCheck(commands: CommandSet): void {
	withFiles(
		commands.program.command('check').description('find where assets break REP 0158, in every variant selection'),
	)
		.argument('<paths...>', 'files, folders or patterns')
		.addOption(new Option('--format <format>', 'how to write findings').choices(CHECK_FORMATS).default('text'))
		.option('--select <rules>', 'rules to check, R1.1.7 or a section as §1.3; repeatable, or with commas', collect)
		.option('--ignore <rules>', 'rules not to check; repeatable, or with commas', collect)
		.addOption(
			new Option('--profile <profile>', 'what the assets are; sources may keep Euler angles').choices([
				'distributed',
				'source',
			]),
		)
		.addOption(
			new Option('--payload-policy <policy>', 'whether the payload of the entry prim may bring links').choices([
				'kinematics-visible',
				'entry',
			]),
		)
		.option('--config <file>', 'configuration; the nearest manyworlds.json unless given')
		.option('--no-config', 'read no configuration')
		.option('--baseline <file>', 'report only what this file does not have')
		.option('--write-baseline <file>', 'write all findings to a file for --baseline')
		.addOption(
			new Option('--fail-on <severity>', 'least severity that makes exit status 1 (default: "warning")').choices([
				'error',
				'warning',
				'info',
				'hint',
				'never',
			]),
		)
		.option('--jobs <count>', 'threads to use', parseCount)
		.option('--interfaces <dir>', 'folder with interface files of ROS packages; repeatable', collect)
		.option('--max-variants <count>', 'most variant selections of an asset (default: 64)', parseCount)
		.option('--max-prims <count>', 'most prims of an asset (default: 2000000)', parseCount)
		.option('--fixes', 'try fixes, so that findings say what removes them (default: up to 4 small assets)')
		.option('--no-fixes', 'try no fixes: quicker')
		.option('--changed-since <revision>', 'check only assets with files that have changed since a revision of git')
		.option('--watch', 'check again when files change, until interrupted')
		.option('--all', 'show all findings of a rule')
		.option('--excerpts', 'show the source lines')
		.option('--quiet', 'show the summary only')
		.action(async (paths: string[], options: CheckCommandOptions) => {
			const { check } = await import('./check.ts');
			await check(commands.context, paths, options);
		});
}
