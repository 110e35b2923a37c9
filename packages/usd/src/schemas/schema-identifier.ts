/** What stands for the instance name in the names of a multiple-apply schema. */
export const INSTANCE_NAME_PLACEHOLDER = '__INSTANCE_NAME__';

/** Family and version that a schema identifier names: `Foo_2` is version 2 of `Foo`, `Foo` is version 0. */
export interface FamilyAndVersion {
	readonly family: string;
	readonly version: number;
}

/** Takes a schema identifier apart. A suffix is an underscore followed by digits only. */
export function parseSchemaIdentifier(identifier: string): FamilyAndVersion {
	const suffix = versionDelimiter(identifier);
	if (suffix < 0) return { family: identifier, version: 0 };
	return { family: identifier.slice(0, suffix), version: Number(identifier.slice(suffix + 1)) };
}

/** The identifier of a version of a schema family. */
export function makeSchemaIdentifier(family: string, version: number): string {
	return version === 0 ? family : `${family}_${version}`;
}

/** An applied schema as `apiSchemas` names it: `PhysicsDriveAPI:angular`. */
export interface AppliedSchemaName {
	readonly identifier: string;
	/** Empty for a single-apply schema. May have namespaces of its own. */
	readonly instanceName: string;
}

/** Splits the name of an applied schema at its first `:`. */
export function parseAppliedSchema(name: string): AppliedSchemaName {
	const colon = name.indexOf(':');
	if (colon < 0) return { identifier: name, instanceName: '' };
	return { identifier: name.slice(0, colon), instanceName: name.slice(colon + 1) };
}

/** Whether one part of a namespaced name is the placeholder of the instance name. */
export function isNameTemplate(name: string): boolean {
	return findPlaceholder(name) >= 0;
}

/** The name that a template has for an instance; a name that is no template stays as it is. */
export function instantiateName(template: string, instanceName: string): string {
	const at = findPlaceholder(template);
	if (at < 0) return template;
	return template.slice(0, at) + instanceName + template.slice(at + INSTANCE_NAME_PLACEHOLDER.length);
}

/** What follows the placeholder in a template, without the `:`; the whole name when it is no template. */
export function templateBaseName(template: string): string {
	const at = findPlaceholder(template);
	return at < 0 ? template : template.slice(at + INSTANCE_NAME_PLACEHOLDER.length + 1);
}

/** Index of the underscore before a version, or -1. */
function versionDelimiter(identifier: string): number {
	let i = identifier.length - 1;
	while (i >= 0 && isDigit(identifier.charCodeAt(i))) i--;
	return i >= 0 && i < identifier.length - 1 && identifier[i] === '_' ? i : -1;
}

function isDigit(unit: number): boolean {
	return unit >= 0x30 && unit <= 0x39;
}

/** Where the placeholder stands as a whole part of a namespaced name, or -1. */
function findPlaceholder(name: string): number {
	for (let at = name.indexOf(INSTANCE_NAME_PLACEHOLDER); at >= 0; ) {
		const end = at + INSTANCE_NAME_PLACEHOLDER.length;
		if ((at === 0 || name[at - 1] === ':') && (end === name.length || name[end] === ':')) return at;
		at = name.indexOf(INSTANCE_NAME_PLACEHOLDER, at + 1);
	}
	return -1;
}
