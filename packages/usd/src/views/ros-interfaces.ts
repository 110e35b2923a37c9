import type { Prim } from '../usd/prim.ts';
import { authoredBool, authoredText } from './authored-values.ts';
import type { ContextResolver } from './ros-contexts.ts';

/** Kinds of types of interfaces. */
export type InterfaceKind = 'msg' | 'srv' | 'action';

/** A schema that declares an interface, and where its attributes are. */
export interface InterfaceSchema {
	readonly api: 'RosTopicAPI' | 'RosServiceAPI' | 'RosActionAPI';
	readonly prefix: 'ros:topic' | 'ros:service' | 'ros:action';
	/** Kind of the types that it takes. */
	readonly kind: InterfaceKind;
	readonly roles: readonly string[];
	/** What it is called in sentences. */
	readonly noun: 'topic' | 'service' | 'action';
}

/** The schemas that declare interfaces (REP 0158 §2.4 to §2.6). */
export const INTERFACE_SCHEMAS: readonly InterfaceSchema[] = [
	{ api: 'RosTopicAPI', prefix: 'ros:topic', kind: 'msg', roles: ['publisher', 'subscription'], noun: 'topic' },
	{ api: 'RosServiceAPI', prefix: 'ros:service', kind: 'srv', roles: ['server', 'client'], noun: 'service' },
	{ api: 'RosActionAPI', prefix: 'ros:action', kind: 'action', roles: ['server', 'client'], noun: 'action' },
];

/** A topic, service or action that a prim declares. Texts are as authored; undefined when nobody wrote them. */
export interface RosInterface {
	readonly prim: Prim;
	readonly schema: InterfaceSchema;
	readonly role: string | undefined;
	readonly name: string | undefined;
	readonly type: string | undefined;
	readonly startsEnabled: boolean;
	/** Namespace of its contexts, `/` when there is none. */
	readonly namespace: string;
	/** The name that ROS sees; undefined without a name. */
	readonly resolvedName: string | undefined;
	/** Domain of the nearest context that gives one; undefined: the simulator's. */
	readonly domain: number | undefined;
}

/** The interface schemas that a prim has. */
export function interfaceSchemas(prim: Prim): InterfaceSchema[] {
	return INTERFACE_SCHEMAS.filter(({ api }) => prim.hasSchema(api));
}

/** The interfaces that a prim declares: at most one in a good asset (R2.2.3). */
export function readInterfaces(prim: Prim, contexts: ContextResolver): RosInterface[] {
	return interfaceSchemas(prim).map((schema) => {
		const name = authoredText(prim, `${schema.prefix}:name`);
		const namespace = contexts.namespace(prim);
		return {
			prim,
			schema,
			role: authoredText(prim, `${schema.prefix}:role`),
			name,
			type: authoredText(prim, `${schema.prefix}:type`),
			startsEnabled: authoredBool(prim, `${schema.prefix}:starts_enabled`) ?? true,
			namespace,
			resolvedName: name === undefined || name === '' ? undefined : resolveName(namespace, name),
			domain: contexts.domain(prim),
		};
	});
}

/** The name that ROS sees: an absolute one as it is, others below the namespace. */
export function resolveName(namespace: string, name: string): string {
	return (name.startsWith('/') ? name : `${namespace}/${name}`).replace(/\/{2,}/g, '/');
}
