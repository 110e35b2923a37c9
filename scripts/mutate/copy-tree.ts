import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, lstatSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Copies the files of the repository, with changes that are not committed, to a folder beside which no `shared` lies; packages there are found in the copy. */
export function copyTree(root: string, target: string): void {
	const list = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
		cwd: root,
		maxBuffer: 1 << 28,
	});
	for (const file of list.toString().split('\0')) {
		if (file === '' || !existsSync(join(root, file))) continue;
		mkdirSync(dirname(join(target, file)), { recursive: true });
		cpSync(join(root, file), join(target, file));
	}
	const modules = join(root, 'node_modules');
	mkdirSync(join(target, 'node_modules/@manyworlds'), { recursive: true });
	for (const name of readdirSync(modules)) {
		if (name !== '@manyworlds') symlinkSync(join(modules, name), join(target, 'node_modules', name));
	}
	for (const name of readdirSync(join(target, 'packages'))) {
		if (lstatSync(join(target, 'packages', name)).isDirectory())
			symlinkSync(join(target, 'packages', name), join(target, 'node_modules/@manyworlds', name));
	}
}
