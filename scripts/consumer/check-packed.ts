import { execFileSync } from 'node:child_process';
import { basename } from 'node:path';

/** What is wrong with a packed package: files that are missing or should not be there, links that lead out of it. */
export function checkPacked(tarball: string): string[] {
	const name = basename(tarball);
	const files = tar('-tzf', tarball).trim().split('\n');
	const problems: string[] = [];
	for (const wanted of ['package/LICENSE', 'package/README.md', 'package/package.json']) {
		if (!files.includes(wanted)) problems.push(`${name} has no ${wanted}`);
	}
	for (const file of files) if (/\.tsbuildinfo$|\/test\//.test(file)) problems.push(`${name} has ${file}`);
	const manifest = JSON.parse(tar('-xzOf', tarball, 'package/package.json'));
	for (const field of ['repository', 'keywords', 'license', 'description', 'engines']) {
		if (manifest[field] === undefined) problems.push(`${name}: package.json has no ${field}`);
	}
	for (const [, target] of tar('-xzOf', tarball, 'package/README.md').matchAll(/\]\(([^)]+)\)/g)) {
		if (!/^https:\/\//.test(target!)) problems.push(`${name}: the README links to ${target}`);
	}
	return problems;
}

function tar(...args: string[]): string {
	return execFileSync('tar', args, { encoding: 'utf8', maxBuffer: 1 << 26 });
}
