import { quote } from '@manyworlds/core';
import type { Layer } from '@manyworlds/usd';
import type { CheckContext } from '../context/check-context.ts';
import type { VendorEntry } from '../context/layer-census.ts';
import type { RepCode } from '../diagnostics.ts';
import type { Rule } from '../rule.ts';
import { graphAbove, isRosGraph } from './ros-graphs.ts';

/** Rules that an opinion of a vendor in a shared layer can break; the most specific one reports it. */
type VendorRule = Extract<RepCode, 'R1.2.1.12' | 'R1.3.18' | 'R1.3.19' | 'R1.4.1' | 'R1.4.2' | 'R1.4.4'>;

/** Vendor schemas, prim types and properties with a neutral equivalent (REP 4.2.2), and that equivalent. */
const EQUIVALENTS: readonly (readonly [RegExp, string])[] = [
	[
		/^(?:NewtonMimicAPI|PhysxMimicJointAPI|MjcEqualityJointAPI|MimicJointAPI|ExtendedPhysicsMimicJointAPI)(?::|$)/,
		'ExtendedPhysicsMimicAPI',
	],
	[/^(?:newton:mimic\w+|physxMimicJoint:.+|mimic:.+)$/, 'ext_physics:mimic:*'],
	[/^NewtonActuator$/, 'ExtendedPhysicsActuatorAPI'],
	[/^NewtonMaxEffortClampingAPI$/, 'ExtendedPhysicsMaxEffortClampingAPI'],
	[/^NewtonDCMotorClampingAPI$/, 'ExtendedPhysicsDCMotorClampingAPI'],
	[/^NewtonPositionBasedClampingAPI$/, 'ExtendedPhysicsPositionBasedClampingAPI'],
	[/^newton:(?:torsional|rolling)Friction$/, 'ext_physics:material:*'],
];

/** Features of a vendor that are more than tuning and have no neutral schema yet. */
const FEATURE = /(?:Deformable|SoftBody|Cloth|Particle|Fluid|Tendon|Cable|Vehicle|Hydroelastic)/;
const GRAPH = /^(?:OmniGraph|OmniGraphNode)/;

/** The neutral schema or properties that stand for a vendor name; undefined when there are none. */
export function neutralEquivalent(name: string): string | undefined {
	return EQUIVALENTS.find(([pattern]) => pattern.test(name))?.[1];
}

/** A visit that reports the opinions of vendors that break one rule: one finding for each prim and vendor. */
export function vendorVisit(rule: VendorRule): NonNullable<Rule['visit']> {
	return (context, report) => {
		for (const layer of context.newLayers) {
			const groups = new Map<string, VendorEntry[]>();
			for (const entry of vendorEntries(context, layer)) {
				if (ruleOf(context, layer, entry) !== rule) continue;
				const key = `${entry.vendor} ${entry.path.primPath}`;
				const found = groups.get(key);
				if (found === undefined) groups.set(key, [entry]);
				else found.push(entry);
			}
			for (const entries of groups.values()) {
				const [first] = entries as [VendorEntry];
				const place = context.atSpec(layer, first.path, first.field, first.item);
				report.add(place, messageOf(rule, entries));
			}
		}
	};
}

/** Opinions of vendors, and of schemas that were never neutral although they carry no vendor's name. */
function* vendorEntries(context: CheckContext, layer: Layer): Generator<VendorEntry> {
	const { vendors, schemas } = context.census(layer);
	yield* vendors;
	for (const entry of schemas.entries) {
		const name = entry.item ?? '';
		if (!/^(?:MimicJointAPI|ExtendedPhysicsMimicJointAPI)$/.test(name)) continue;
		yield { ...entry, vendor: 'draft', name, kind: 'schema' };
	}
}

function ruleOf(context: CheckContext, layer: Layer, entry: VendorEntry): VendorRule | undefined {
	const { role } = context.role(layer);
	if (role === 'proprietary' || isSixNumberInertia(entry.name)) return undefined;
	if (neutralEquivalent(entry.name) !== undefined) return 'R1.3.18';
	if (entry.kind !== 'property' && GRAPH.test(entry.name)) {
		// what speaks to ROS is found by R2.0.2
		const graph = graphAbove(layer, entry.path);
		return graph !== undefined && isRosGraph(layer, graph) ? undefined : 'R1.2.1.12';
	}
	if (entry.kind !== 'property' && FEATURE.test(entry.name)) return 'R1.3.19';
	if (role === 'physics') return 'R1.4.2';
	return role === 'entry' ? 'R1.4.1' : 'R1.4.4';
}

/** Such inertia has a rule of its own. */
export function isSixNumberInertia(property: string): boolean {
	return /(?:^|:)\w*inertia\w*$/i.test(property) && property !== 'physics:diagonalInertia';
}

function messageOf(rule: VendorRule, entries: readonly VendorEntry[]): string {
	const names = [...new Set(entries.map(({ name }) => name))];
	const listed = names.slice(0, 3).map((name) => quote(name));
	const more = names.length > 3 ? ` and ${names.length - 3} more` : '';
	const what = `${listed.join(', ')}${more}`;
	const [{ vendor }] = entries as [VendorEntry];
	switch (rule) {
		case 'R1.3.18': {
			const neutral = [...new Set(names.map((name) => neutralEquivalent(name)))];
			return `${what} ${names.length === 1 ? 'has' : 'have'} a neutral equivalent, expected ${neutral.join(', ')}`;
		}
		case 'R1.3.19':
			return `${what} of ${vendor} ${names.length === 1 ? 'has' : 'have'} no neutral schema, expected a layer of ${names.length === 1 ? 'its' : 'their'} own`;
		case 'R1.4.2':
			return `the physics layer has ${what} of ${vendor}, expected UsdPhysics and ExtendedPhysics only`;
		case 'R1.2.1.12':
			return `the layer has ${what} of ${vendor}, expected execution graphs in a layer of that simulator`;
		default:
			return `the layer has ${what} of ${vendor}, expected them in a proprietary layer such as '${vendor}.usda'`;
	}
}
