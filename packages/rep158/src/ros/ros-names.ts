import type { InterfaceKind } from '@manyworlds/usd/internal';

/** What is wrong with a name, as the end of a sentence: `has a token that starts with a digit ('2nd')`. */
export type NameFault = string;

/** Longest fully qualified topic or service name that middlewares take: 255 characters less the 8 that rmw adds. */
export const MAX_ROS_NAME_LENGTH = 247;

/**
 * What is wrong with the name of a topic, service or action (REP 0158 §2.3, ROS 2 topic and service names);
 * undefined for a good one. A leading slash makes a name absolute. `~` and `{}` are runtime substitutions, not letters.
 */
export function rosNameFault(name: string): NameFault | undefined {
	if (name === '') return 'is empty';
	const path = name.startsWith('/') ? name.slice(1) : name;
	if (path === '') return 'has no token';
	if (name.includes('//')) return "has an empty token ('//')";
	if (name.endsWith('/')) return "ends with '/'";
	for (const token of path.split('/')) {
		const bad = /[^A-Za-z0-9_]/u.exec(token);
		if (bad !== null) return `has the character '${bad[0]}'`;
		if (/^\d/.test(token)) return `has a token that starts with a digit ('${token}')`;
	}
	return undefined;
}

/** What is wrong with a namespace that is to be joined to those above it: it must be one bare token (§2.1.1). */
export function namespaceFault(namespace: string): NameFault | undefined {
	if (namespace.startsWith('/')) return rosNameFault(namespace);
	if (/[~{}]/.test(namespace)) return 'has a runtime substitution (~ or {})';
	if (namespace.endsWith('/')) return "ends with '/'";
	if (namespace.includes('/')) return 'has more than one segment';
	return rosNameFault(namespace);
}

/** What is wrong with the name of a TF frame: tf2 takes no leading slash (C26). */
export function frameIdFault(id: string): NameFault | undefined {
	if (id === '') return 'is empty';
	if (id.startsWith('/')) return "starts with '/'";
	const bad = /[^A-Za-z0-9_/.-]/u.exec(id);
	if (bad !== null) return `has the character '${bad[0]}'`;
	if (!/^[A-Za-z0-9_]/.test(id)) return `starts with '${id[0]}'`;
	return undefined;
}

/** The name of a prim as ROS takes it: other letters become `_`, a leading digit gets one in front. */
export function rosNameOf(primName: string): string {
	const name = primName.replace(/[^A-Za-z0-9_]/gu, '_');
	return /^\d/.test(name) ? `_${name}` : name;
}

/** A name with everything that ROS does not take replaced; an absolute one stays absolute. */
export function fixedRosName(name: string): string {
	const tokens = name
		.split('/')
		.filter((token) => token !== '')
		.map((token) => rosNameOf(token));
	return (name.startsWith('/') ? '/' : '') + tokens.join('/');
}

/** A frame name with everything that tf2 does not take replaced. */
export function fixedFrameId(id: string): string {
	const name = id.replace(/^\/+/, '').replace(/[^A-Za-z0-9_/.-]/gu, '_');
	return /^[A-Za-z0-9_]/.test(name) ? name : `_${name}`;
}

/** A type name taken apart: `sensor_msgs/msg/Image`. */
export interface InterfaceTypeName {
	readonly packageName: string;
	readonly kind: InterfaceKind;
	readonly name: string;
}

/** Takes a type name apart; undefined when it does not have the form `package/kind/Name` (R2.3.5). */
export function parseInterfaceType(type: string): InterfaceTypeName | undefined {
	const match = /^([a-z](?:_?[a-z0-9])*_?)\/(msg|srv|action)\/([A-Z][A-Za-z0-9]*)$/.exec(type);
	if (match === null) return undefined;
	return { packageName: match[1]!, kind: match[2] as InterfaceKind, name: match[3]! };
}

/** What is wrong with the form of a type name for an interface of some kind; undefined for a good one. */
export function interfaceTypeFault(type: string, kind: InterfaceKind): NameFault | undefined {
	const parts = parseInterfaceType(type);
	if (parts !== undefined) return parts.kind === kind ? undefined : `is a ${parts.kind} type`;
	if (/^[a-z]\w*\/[A-Z]\w*$/.test(type)) return `lacks the kind, as types of ROS 1 do`;
	return 'does not have the form package/kind/Name';
}
