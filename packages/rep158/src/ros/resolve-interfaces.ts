import type { RosInterface } from '@manyworlds/usd/internal';
import type { InterfaceRegistry } from './interface-registry.ts';

/** An interface and whether a simulator can offer it. */
export interface ResolvedInterface extends RosInterface {
	readonly isEnabled: boolean;
	/** Why it cannot be offered, whatever it says itself. */
	readonly problem: string | undefined;
}

/** Resolves the types of interfaces (§2.3): one of an unknown type is disabled by itself, the others stay as they are. */
export function resolveInterfaces(interfaces: readonly RosInterface[], types: InterfaceRegistry): ResolvedInterface[] {
	return interfaces.map((found) => {
		const isKnown = found.type !== undefined && types.find(found.type)?.kind === found.schema.kind;
		const problem = isKnown ? undefined : `the type '${found.type ?? ''}' is unknown`;
		return { ...found, problem, isEnabled: isKnown && found.startsEnabled };
	});
}
