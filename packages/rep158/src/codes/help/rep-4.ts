import type { CodeHelp } from '@manyworlds/core/internal';
import type { REP_4_CODES } from '../rep-4.ts';

/** What to do about the codes of REP 0158 section 4 and tools: extension schemas. */
export const REP_4_HELP: Readonly<Record<keyof typeof REP_4_CODES, CodeHelp>> = {
	'R4.2.0.1': {
		title: 'Extensions come complete',
		help: 'A schema extension comes with checks, documentation and a minimal example.',
	},
	'R4.2.1.1': {
		title: 'Extension duplicates a native attribute',
		help: 'Extension schemas build on native prims and do not repeat their attributes.',
	},
	'R4.2.1.2': {
		title: 'Extension on a prim that is no Xform',
		help: 'A schema without a native prim to build on is applied to an Xform.',
	},
	'R4.2.1.3': {
		title: 'Extension declares transport',
		help: 'Topics and qualities of service belong to the ROS schemas; an extension points at them by relationships.',
	},
	'R4.2.1.4': {
		title: 'Incubating schemas are migrated',
		help: 'Once OpenUSD has an equivalent, tools migrate `ext_physics` to it.',
	},
	'R4.2.2.1': {
		title: 'Incubating schema is named wrongly',
		help: 'Incubating classes are `ExtendedPhysics*`, their properties `ext_physics:concept:name`.',
	},
	'R4.2.2.2': {
		title: 'Unknown property with the prefix physics',
		help: 'The prefix `physics:` is for properties of UsdPhysics.',
	},
	'R4.2.2.3': {
		title: 'Vendor staging schema in a distributed asset',
		help: 'Vendor schemas with a neutral equivalent are translated before an asset is distributed.',
	},
	'R4.2.2.4': {
		title: 'Mimic joint is unusable',
		help: 'ExtendedPhysicsMimicAPI is on a revolute or prismatic joint and follows one existing joint, without going in a circle.',
	},
	'R4.2.2.5': {
		title: 'Actuator has no usable target',
		help: 'ExtendedPhysicsActuatorAPI targets a revolute or prismatic joint.',
	},
	'R4.2.2.6': {
		title: 'Clamping table is unusable',
		help: 'The tables of a position clamp have equal lengths and strictly increasing positions.',
	},
	'R4.2.3.1': {
		title: 'Controller on a physical prim',
		help: 'Controllers should be on logical prims, not on links.',
	},
	'R4.2.3.2': {
		title: 'Controller without targets',
		help: 'A controller names what it moves by relationships or collections, and the targets exist.',
	},
	'R4.2.3.3': {
		title: 'Scope is not inferred from nesting',
		help: 'Simulators take the targets of a controller from its relationships only.',
	},
	'R4.2.3.4': {
		title: 'Controlled joint has no drive',
		help: 'Targets are routed through PhysicsDriveAPI or another ratified schema.',
	},
	'R4.2.3.5': {
		title: 'Controller writes transforms of a dynamic body',
		help: 'A controller that moves bodies directly should do so with kinematic bodies only.',
	},
	'R4.2.3.6': {
		title: 'Controller uses simulator interfaces',
		help: 'Controllers should not depend on simulation_interfaces.',
	},
	'R4.2.3.7': {
		title: 'Controllers fight for a target',
		help: 'Of the controllers that share a target, at most one starts enabled.',
	},
	'R4.2.4.1': {
		title: 'Sensor gives ground truth',
		help: 'Physical sensors give what can be measured; ground truth comes from annotators.',
	},
	'R4.2.4.2': {
		title: 'Sensor schema on an unsuitable prim',
		help: 'Sensor schemas are on Xform or Camera prims outside of payloads.',
	},
	'R4.2.4.3': {
		title: 'Engine parameter of a sensor without a vendor prefix',
		help: 'What only one engine understands about a sensor has the prefix of the vendor.',
	},
	'R4.2.4.4': {
		title: 'Unknown namespaces are ignored',
		help: 'Simulators ignore namespaces they do not know.',
	},
	'R4.3.1': {
		title: 'Canonical assets pass',
		help: 'Assets of the canonical repository pass the checker.',
	},
	'R5.1': {
		title: 'The checker cites and advises',
		help: 'Findings name the section of the REP and say what to do.',
	},
	'R5.2': {
		title: 'The fixer repairs common faults',
		help: 'Schema translation, standard transforms and vendor isolation are offered as fixes.',
	},
};
