import type { CodeHelp } from '@manyworlds/core/internal';
import type { SCH_CODES } from '../sch.ts';

/** What to do about the codes of schema declarations and of schemas put together. */
export const SCH_HELP: Readonly<Record<keyof typeof SCH_CODES, CodeHelp>> = {
	SCH001: {
		title: 'Schema declaration not usable',
		help: 'A schema file and its plugInfo.json do not fit together: the JSON cannot be read, a type has no class prim or the other way round, or its kind is none that exists. The message says which; that schema is left out and prims that use it keep what they have, without fallbacks.',
	},
	SCH002: {
		title: 'Schema replaced',
		help: 'A registered file declares a schema that was known already, perhaps one that comes with Manyworlds. The later declaration counts. Nothing needs to be done when the file is a newer version of the same schemas.',
	},
	SCH003: {
		title: 'Built-in schema left out',
		help: 'A schema brings along another one that cannot be included: nobody has registered it, it includes itself over a detour, a schema with instances is named without one (or the other way round), or another version of the same family is there already. The definition goes without it.',
	},
	SCH004: {
		title: 'Properties of schemas disagree',
		help: 'Two schemas on one prim define a property of the same name with different types. The definition of the stronger schema counts: the type first, then the applied schemas from first to last.',
	},
	SCH005: {
		title: 'Applied schema needs an instance name or must not have one',
		help: 'A schema that can be applied several times is named with its instance, as in `PhysicsDriveAPI:angular`; one that is applied once is named without. The schema has no effect as it is written.',
		bad: '#usda 1.0\ndef PhysicsRevoluteJoint "knee" (prepend apiSchemas = ["PhysicsDriveAPI"])\n{\n}\n',
		good: '#usda 1.0\ndef PhysicsRevoluteJoint "knee" (prepend apiSchemas = ["PhysicsDriveAPI:angular"])\n{\n}\n',
	},
};
