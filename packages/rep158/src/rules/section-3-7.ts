import type { Statement } from './statement.ts';

/** What goes out to MJCF keeps to these. */
const MJCF_TEST = 'packages/manyworlds/test/usd-to-mjcf.test.ts';

/** Variants of materials in glTF. */
const GLTF_TEST = 'packages/convert/test/gltf-extras.test.ts';

/** Interfaces of ROS in other formats. */
const DEVICE_TEST = 'packages/convert/test/devices.test.ts';

/** REP 3, 3.7 and 3.8: what exporters do. */
export const SECTION_3_0: readonly Statement[] = [
	{
		id: 'R3.0.1',
		section: '3',
		level: 'must',
		check: 'behaviour',
		heldBy: 'packages/manyworlds/test/convert-robots.test.ts',
	},
];

/** REP 3.7 and 3.8: variants and lossy conversion, duties of exporters. */
export const SECTION_3_7: readonly Statement[] = [
	{ id: 'R3.7.1', section: '3.7', level: 'tool', check: 'behaviour', heldBy: MJCF_TEST },
	{ id: 'R3.7.2', section: '3.7', level: 'tool', check: 'behaviour', heldBy: MJCF_TEST },
	{ id: 'R3.7.3', section: '3.7', level: 'tool', check: 'behaviour', heldBy: GLTF_TEST },
	{ id: 'R3.7.4', section: '3.7', level: 'tool', check: 'behaviour', heldBy: GLTF_TEST },
	{ id: 'R3.8.1', section: '3.8', level: 'tool', check: 'behaviour', heldBy: MJCF_TEST },
	{ id: 'R3.8.2', section: '3.8', level: 'tool', check: 'behaviour', heldBy: DEVICE_TEST },
	{ id: 'R3.8.3', section: '3.8', level: 'tool', check: 'behaviour', heldBy: MJCF_TEST },
	{ id: 'R3.8.4', section: '3.8', level: 'tool', check: 'behaviour', heldBy: DEVICE_TEST },
];
