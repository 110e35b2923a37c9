import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { quote } from '@manyworlds/core';
import type { InterfaceDefinition } from '@manyworlds/rep158';
import { createDiagnostic } from '../../diagnostics.ts';
import type { CommandContext } from '../command-context.ts';

/**
 * The interface files of ROS packages below folders: `package/msg/Name.msg`, `package/srv/Name.srv`, `package/action/Name.action`.
 * A folder may be that of a package, a workspace, or `share` of an installation.
 */
export function readInterfaceFiles(context: CommandContext, folders: readonly string[]): InterfaceDefinition[] {
	const found: InterfaceDefinition[] = [];
	for (const folder of folders) {
		let names: string[];
		try {
			names = readdirSync(context.absolute(folder), { recursive: true, encoding: 'utf8' }).sort();
		} catch (error) {
			const reason = error instanceof Error ? error.message : String(error);
			context.report.add(createDiagnostic('CLI006', `--interfaces ${quote(folder)} cannot be read: ${reason}`));
			continue;
		}
		for (const name of names) {
			const path = join(context.absolute(folder), name);
			const match = /([^/\\]+)[/\\](msg|srv|action)[/\\](\w+)\.(msg|srv|action)$/.exec(path);
			if (match === null || match[2] !== match[4]) continue;
			found.push({ type: `${match[1]}/${match[2]}/${match[3]}`, text: readFileSync(path, 'utf8') });
		}
	}
	return found;
}
