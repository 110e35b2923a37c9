import type { CodeHelp } from '@manyworlds/core/internal';
import type { SCN_CODES } from '../scn.ts';

/** What to do about the codes of scene files. */
export const SCN_HELP: Readonly<Record<keyof typeof SCN_CODES, CodeHelp>> = {
	SCN001: {
		title: 'Scene file with a syntax error',
		help: 'A scene is YAML 1.2, or JSON when the name of its file ends with `.json`. The text is neither at the place shown, or it uses a tag, which scenes do not have. Nothing is loaded.',
		bad: 'bodies: [',
		good: 'bodies: []',
		language: 'yaml',
	},
	SCN002: {
		title: 'Scene file beyond the limits',
		help: 'The file is longer, nested deeper, or grows by its aliases to more values than a scene is allowed to. The limits keep a hostile file from using up memory; `readScene` takes others.',
	},
	SCN003: {
		title: 'Key given twice',
		help: 'A mapping has the same key twice. One of them would be lost, so the scene is refused: keep the one that is meant.',
		bad: 'simulation: {dt: 0.01, dt: 0.02}',
		good: 'simulation: {dt: 0.01}',
		language: 'yaml',
	},
	SCN004: {
		title: 'Scene of another version',
		help: '`schema_version` says by which rules a scene was written. This program knows version 1, which is also assumed when the key is absent.',
		bad: 'schema_version: 2',
		good: 'schema_version: 1',
		language: 'yaml',
	},
	SCN005: {
		title: 'Unknown key in a scene',
		help: 'The schema has no such key at this place, so it has no effect. The message names the most similar key that would have one.',
		bad: 'simulation: {num_world: 16}',
		good: 'simulation: {num_worlds: 16}',
		language: 'yaml',
	},
	SCN006: {
		title: 'Value of the wrong type',
		help: 'The schema expects another type of value here: a mapping, a list, text, true or false, or a number. Text in place of true or false is not guessed at: `yes` and `"false"` are text in YAML 1.2.',
		bad: 'bodies: {id: box}',
		good: 'bodies: [{id: box}]',
		language: 'yaml',
	},
	SCN007: {
		title: 'Text that is no number',
		help: 'Where a number stands, text may hold an expression of numbers, `pi`, `+`, `-`, `*`, `/` and parentheses. Nothing else is understood, and nothing is executed. The result must be finite.',
		bad: 'initial_joint_q: [{joint: hinge, value: "sin(1)"}]',
		good: 'initial_joint_q: [{joint: hinge, value: "pi * 0.5"}]',
		language: 'yaml',
	},
	SCN008: {
		title: 'Number out of range',
		help: 'The number makes no sense in this place: a count that is not whole or below one, a time step that is not positive, a negative mass. The message says what is expected.',
		bad: 'simulation: {dt: 0}',
		good: 'simulation: {dt: 0.003}',
		language: 'yaml',
	},
	SCN009: {
		title: 'Value that is not among the choices',
		help: 'The schema lists the values that may stand here; the message gives them.',
		bad: 'simulation: {solver: {contact_preset_variant: fast}}',
		good: 'simulation: {solver: {contact_preset_variant: drake}}',
		language: 'yaml',
	},
	SCN010: {
		title: 'Key that is missing',
		help: 'The mapping cannot be understood without this key.',
		bad: 'bodies: [{mass: 1}]',
		good: 'bodies: [{id: box, mass: 1}]',
		language: 'yaml',
	},
	SCN011: {
		title: 'Keys that contradict each other',
		help: 'Two keys say different things about the same setting. The message says which one is followed; remove the other.',
	},
	SCN012: {
		title: 'Vector of the wrong length',
		help: 'Vectors have three numbers, quaternions four in the order x y z w.',
		bad: 'replicate: {spacing: [2, 2]}',
		good: 'replicate: {spacing: [2, 2, 0]}',
		language: 'yaml',
	},
	SCN013: {
		title: 'Rotation or axis without a direction',
		help: 'A quaternion or an axis of length zero says nothing about a direction. Axes are letters x, y, z, their numbers 0, 1, 2, or vectors of any length but zero.',
	},
	SCN020: {
		title: 'Unknown body',
		help: 'A body is referred to by the `id` of an inline body, by its number in the order of loading, or as `world`. No such body exists; the message names similar ones.',
	},
	SCN021: {
		title: 'Unknown joint',
		help: 'A joint is referred to by its label, by the end of its label after a `/`, or by its number. No such joint exists; the message names similar ones.',
	},
	SCN022: {
		title: 'Ambiguous joint',
		help: 'Several joints have this label, or labels that end with it after a `/`. Write more of the label.',
	},
	SCN023: {
		title: 'Identifier given twice',
		help: 'Two bodies, two joints or two assets have the same `id`, so a reference to it could mean either.',
	},
	SCN024: {
		title: 'Joint that moves the world',
		help: 'The child of a joint is the body that it moves, which the world is not. Swap parent and child.',
		bad: 'joints: [{id: hinge, type: revolute, parent: box, child: world}]',
		good: 'joints: [{id: hinge, type: revolute, parent: world, child: box}]',
		language: 'yaml',
	},
	SCN025: {
		title: 'Structure that no model can have',
		help: 'The model refuses what the scene asks for, for example an articulation whose joints are not consecutive or close a loop. The message says what is wrong; its code leads to more.',
	},
	SCN030: {
		title: 'Unsupported scene feature',
		help: 'The feature is recognised but cannot be loaded. A strict load refuses the scene; otherwise this is a warning, the scene is loaded without the feature, and the feature is listed in `unsupportedFeatures`.',
	},
	SCN031: {
		title: 'Asset that cannot be loaded',
		help: 'The file that the asset names does not exist, cannot be read, or is not what its `type` says; findings about its content stand beside this one.',
	},
	SCN032: {
		title: 'Unsafe git source',
		help: 'Repository, revision and paths of a git source must not begin with a dash or hold control characters, because git could take them for options; paths must stay inside of the checkout; and repositories are addressed by https, ssh, git, file or a path. Nothing was run.',
		bad: 'git: {repo: "--upload-pack=touch /tmp/x", rev: main, path: a.usda}',
		good: 'git: {repo: "https://example.org/robots.git", rev: 261cd1f4, path: a.usda}',
		language: 'yaml',
	},
	SCN033: {
		title: 'Git source that cannot be checked out',
		help: 'The asset is in a git repository, and the program that loads the scene offers no checkouts, is offline without a cached copy, or git failed; the message says which.',
	},
	SCN034: {
		title: 'Mesh that cannot be loaded',
		help: 'The file of an inline mesh does not exist, cannot be read, or has no triangles.',
	},
	SCN040: {
		title: 'Index out of bounds',
		help: 'An index, a range or an offset leads outside of the array, or out of the coordinates of the joint it belongs to. Negative indices count from the end.',
	},
	SCN041: {
		title: 'Number of values that does not fit',
		help: 'As many values are needed as entries are selected.',
		bad: 'post_build: [{op: set_array, array: joint_q, range: "head:3", values: [0, 0]}]',
		good: 'post_build: [{op: set_array, array: joint_q, range: "head:3", values: [0, 0, 0.67]}]',
		language: 'yaml',
	},
	SCN050: {
		title: 'Scene without a shape',
		help: 'A scene needs at least one collision shape; the ground plane counts.',
	},
	SCN060: {
		title: 'Setting without effect',
		help: 'The setting is understood and kept, and changes nothing in this program; the message says why.',
	},
	SCN061: {
		title: 'Gravity given by an asset',
		help: 'Assets are imported after the builder defaults, so the gravity of a USD stage replaces `builder.gravity`. To have the last word, set it after the import with `{op: set_attr, name: gravity, value: -9.81}` in `post_build`.',
	},
	SCN062: {
		title: 'Joint in no articulation',
		help: 'Joints belong to articulations, trees of joints that begin at the world. Body poses follow from coordinates only along them. List the joint in `articulations`.',
	},
	SCN063: {
		title: 'Scene in which nothing can move',
		help: 'The scene has no joint with a degree of freedom: bodies without a joint, or on fixed joints only, stay where they are. Give bodies that should move a joint, for example a free one, and list it in an articulation.',
	},
};
