import { posix } from 'node:path';
import { parseSync } from 'vite';

/** A name that the public entry of a package exports. */
export interface PublicName {
	/** Folder name of the package. */
	readonly owner: string;
	readonly name: string;
	/** File that declares it. */
	readonly file: string;
	readonly kind: 'function' | 'class' | 'constant' | 'type';
	/** Its doc comment; '' for none. */
	readonly doc: string;
	/** Declarations that its signature names: `file#name`. */
	readonly mentions: ReadonlySet<string>;
}

/** What is known of the public names of packages. */
export interface PublicSurface {
	readonly names: readonly PublicName[];
	/** What signatures of functions, classes and constants lead to, by package: `file#name`. */
	readonly reachable: ReadonlyMap<string, ReadonlySet<string>>;
}

interface Declaration {
	readonly kind: PublicName['kind'];
	readonly doc: string;
	readonly words: ReadonlySet<string>;
}

interface Module {
	readonly declarations: ReadonlyMap<string, Declaration>;
	/** Imported and re-exported names: where from and what they are called there. */
	readonly bindings: ReadonlyMap<string, { readonly file: string; readonly name: string }>;
	/** Names that the module exports, and what they are called inside. */
	readonly exports: ReadonlyMap<string, string>;
	/** Exported names that are types only, also those of classes that users are given and never make. */
	readonly types: ReadonlySet<string>;
}

/** A node of a syntax tree, as the parser gives it. */
interface Node {
	readonly type: string;
	readonly start: number;
	readonly end: number;
	readonly [field: string]: unknown;
}

/**
 * Reads the public entries of packages and follows the signatures of what they export. `read` gives the text of a file by its path
 * from the root. Exported declarations have written types (`isolatedDeclarations`), so that the syntax alone tells all.
 */
export function readPublicSurface(packages: readonly string[], read: (path: string) => string): PublicSurface {
	const modules = new Map<string, Module>();
	const moduleOf = (file: string): Module => {
		let module = modules.get(file);
		if (module === undefined) {
			module = readModule(file, read(file));
			modules.set(file, module);
		}
		return module;
	};
	/** The declaration that a name in a module stands for; undefined for those of libraries and of the language. */
	const find = (file: string, name: string): { readonly file: string; readonly name: string } | undefined => {
		const module = moduleOf(file);
		if (module.declarations.has(name)) return { file, name };
		const bound = module.bindings.get(name);
		if (bound === undefined) return undefined;
		return find(bound.file, moduleOf(bound.file).exports.get(bound.name) ?? bound.name);
	};
	const mentionsOf = (file: string, name: string): Set<string> => {
		const { words } = moduleOf(file).declarations.get(name)!;
		const found = [...words].flatMap((word) => find(file, word) ?? []);
		return new Set(found.map((one) => `${one.file}#${one.name}`).filter((key) => key !== `${file}#${name}`));
	};

	const names: PublicName[] = [];
	const reachable = new Map<string, ReadonlySet<string>>();
	for (const owner of packages) {
		const entry = `packages/${owner}/src/index.ts`;
		const open: string[] = [];
		for (const [name, inside] of moduleOf(entry).exports) {
			const at = find(entry, inside);
			if (at === undefined) throw new Error(`${entry}: '${name}' is declared nowhere`);
			const declared = moduleOf(at.file).declarations.get(at.name)!;
			const kind = moduleOf(entry).types.has(name) ? 'type' : declared.kind;
			const mentions = mentionsOf(at.file, at.name);
			names.push({ owner, name, file: at.file, kind, doc: declared.doc, mentions });
			if (kind !== 'type') open.push(`${at.file}#${at.name}`);
		}
		const seen = new Set(open);
		const mentioned = new Set<string>();
		for (let key = open.pop(); key !== undefined; key = open.pop()) {
			const [file, name] = key.split('#') as [string, string];
			for (const next of mentionsOf(file, name)) {
				mentioned.add(next);
				// what leads on from types of other packages is theirs to tell
				if (seen.has(next) || !next.startsWith(`packages/${owner}/`)) continue;
				seen.add(next);
				open.push(next);
			}
		}
		reachable.set(owner, mentioned);
	}
	return { names, reachable };
}

function readModule(file: string, text: string): Module {
	const { program, comments, errors } = parseSync(file, text);
	if (errors.length > 0) throw new Error(`${file}: ${errors[0]!.message}`);
	const declarations = new Map<string, Declaration>();
	const bindings = new Map<string, { readonly file: string; readonly name: string }>();
	const exports = new Map<string, string>();
	const types = new Set<string>();
	const docs = comments.filter(({ type, value }) => type === 'Block' && value.startsWith('*'));
	const docBefore = (start: number): string =>
		docs.findLast((doc) => doc.end <= start && text.slice(doc.end, start).trim() === '')?.value ?? '';
	const bind = (local: string, specifier: string, name: string): void => {
		const target = moduleFile(file, specifier);
		if (target !== undefined) bindings.set(local, { file: target, name });
	};
	const declare = (node: Node, start: number, isExported: boolean): void => {
		for (const [name, kind, part] of declaredBy(node)) {
			const words = declarations.get(name)?.words ?? new Set<string>();
			const doc = docBefore(start) || (declarations.get(name)?.doc ?? '');
			// a constant and a type of the same name are one thing: the constant
			const first = declarations.get(name)?.kind;
			const isValue = first !== undefined && first !== 'type';
			declarations.set(name, { kind: isValue ? first : kind, doc, words: new Set([...words, ...wordsOf(part)]) });
			if (isExported) exports.set(name, name);
		}
	};
	for (const node of program.body as unknown as Node[]) {
		if (node.type === 'ImportDeclaration') {
			for (const one of node['specifiers'] as Node[]) {
				if (one.type === 'ImportSpecifier')
					bind(nameOf(one['local']), literalOf(node['source']), nameOf(one['imported']));
			}
		} else if (node.type === 'ExportNamedDeclaration') {
			if (node['declaration'] !== null) declare(node['declaration'] as Node, node.start, true);
			for (const one of node['specifiers'] as Node[]) {
				const local = nameOf(one['local']);
				const exported = nameOf(one['exported']);
				if (node['source'] !== null) bind(exported, literalOf(node['source']), local);
				exports.set(exported, node['source'] === null ? local : exported);
				if (node['exportKind'] === 'type' || one['exportKind'] === 'type') types.add(exported);
			}
		} else declare(node, node.start, false);
	}
	return { declarations, bindings, exports, types };
}

/** The file of a module of ours that a file imports; undefined for other modules. */
function moduleFile(from: string, specifier: string): string | undefined {
	if (specifier.startsWith('.')) return posix.join(posix.dirname(from), specifier);
	const [, owner, entry = 'index'] = /^@manyworlds\/(\w+)(?:\/(\w+))?$/.exec(specifier) ?? [];
	return owner === undefined ? undefined : `packages/${owner}/src/${entry}.ts`;
}

function declaredBy(node: Node): [name: string, kind: PublicName['kind'], part: Node][] {
	switch (node.type) {
		case 'FunctionDeclaration':
		case 'TSDeclareFunction':
			return [[nameOf(node['id']), 'function', node]];
		case 'ClassDeclaration':
			return [[nameOf(node['id']), 'class', node]];
		case 'TSInterfaceDeclaration':
		case 'TSTypeAliasDeclaration':
			return [[nameOf(node['id']), 'type', node]];
		case 'VariableDeclaration':
			return (node['declarations'] as Node[])
				.filter((one) => (one['id'] as Node).type === 'Identifier')
				.map((one) => [nameOf(one['id']), 'constant', one]);
		default:
			return [];
	}
}

/** Names that a signature mentions: all but bodies, initial values and what is private. */
function wordsOf(part: Node): Set<string> {
	const words = new Set<string>();
	const visit = (value: unknown): void => {
		if (Array.isArray(value)) {
			for (const one of value) visit(one);
			return;
		}
		if (typeof value !== 'object' || value === null || !('type' in value)) return;
		const node = value as Node;
		if (isHidden(node)) return;
		if (node.type === 'Identifier') words.add(node['name'] as string);
		for (const [field, child] of Object.entries(node)) {
			if (isSignature(node, field)) visit(child);
		}
	};
	visit(part);
	return words;
}

/** Whether a node is no part of what others see. */
function isHidden(node: Node): boolean {
	const key = node['key'] as Node | undefined;
	return (
		node.type === 'BlockStatement' ||
		node.type === 'StaticBlock' ||
		key?.type === 'PrivateIdentifier' ||
		node['accessibility'] === 'private'
	);
}

/** Whether a field of a node is part of a signature. */
function isSignature(node: Node, field: string): boolean {
	if (field === 'init' || field === 'right') return node['typeAnnotation'] === undefined && !hasType(node['id']);
	if (field === 'value' && node.type === 'PropertyDefinition') return false;
	if (field === 'key') return node['computed'] === true;
	return true;
}

function hasType(id: unknown): boolean {
	return typeof id === 'object' && id !== null && (id as Node)['typeAnnotation'] != null;
}

function nameOf(node: unknown): string {
	const { name, value } = node as { readonly name?: string; readonly value?: string };
	return name ?? value ?? '';
}

function literalOf(node: unknown): string {
	return (node as { readonly value: string }).value;
}
