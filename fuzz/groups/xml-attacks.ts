import type { Expectation, FuzzGroup } from '../fuzz-case.ts';

type Attack = readonly [how: string, expects: Expectation, text: () => string];

/** Texts made to exhaust readers of robots in XML: depth, width, entities, circles, numbers out of range. */
export function xmlAttacks(): FuzzGroup[] {
	const encode = (text: string): Uint8Array => new TextEncoder().encode(text);
	return (['urdf', 'mjcf', 'sdf'] as const).map((format) => {
		const attacks = [...COMMON(format), ...OWN[format]];
		return {
			name: `attack/${format}`,
			count: attacks.length,
			make: (index) => {
				const [how, expects, text] = attacks[index]!;
				return { format, bytes: encode(text()), expects, how };
			},
		};
	});
}

const times = (count: number, text: (i: number) => string): string =>
	Array.from({ length: count }, (_, i) => text(i)).join('');
const LINK = '<link name="a"/>';
const joint = (name: string, parent: string, child: string, type = 'revolute'): string =>
	`<joint name="${name}" type="${type}"><parent link="${parent}"/><child link="${child}"/></joint>`;

const FRAMES = {
	urdf: ['<robot>', '</robot>'],
	mjcf: ['<mujoco><worldbody>', '</worldbody></mujoco>'],
	sdf: ['<sdf version="1.9"><model name="m">', '</model></sdf>'],
} as const;

const COMMON = (format: keyof typeof FRAMES): Attack[] => {
	const [open, close] = FRAMES[format];
	return [
		['elements nested 30000 deep', 'error', () => open + '<body>'.repeat(30_000) + '</body>'.repeat(30_000) + close],
		['elements nested deep and never closed', 'error', () => open + '<body>'.repeat(20_000)],
		[
			'an entity bomb',
			'error',
			() =>
				`<!DOCTYPE r [<!ENTITY a "aaaaaaaa">${times(20, (i) => `<!ENTITY b${i} "&a;&a;&a;&a;">`)}]>${open}&b19;${close}`,
		],
		['an external entity', 'error', () => `<!DOCTYPE r [<!ENTITY x SYSTEM "file:///etc/passwd">]>${open}&x;${close}`],
		['end tags without end', 'error', () => open + '</a'.repeat(30_000)],
		['quotes that are never closed', 'error', () => `${open}<body name="${'x'.repeat(20_000)}`],
		['a comment that is never closed', 'error', () => `${open}<!--${'-'.repeat(30_000)}`],
		['20000 attributes of one element', 'any', () => `${open}<body ${times(20_000, (i) => `a${i}="1" `)}/>${close}`],
		['an attribute given 10000 times', 'error', () => `${open}<body ${'a="1" '.repeat(10_000)}/>${close}`],
		['nothing', 'error', () => ''],
		['only a declaration', 'error', () => '<?xml version="1.0"?>'],
		['ampersands', 'error', () => `${open}${'&'.repeat(20_000)}${close}`],
	];
};

const URDF: readonly Attack[] = [
	[
		'8000 links in a chain',
		'any',
		() =>
			`<robot name="r">${times(8_000, (i) => `<link name="l${i}"/>`)}${times(7_999, (i) => joint(`j${i}`, `l${i}`, `l${i + 1}`, 'fixed'))}</robot>`,
	],
	[
		'3000 links at one',
		'any',
		() =>
			`<robot name="r">${LINK}${times(3_000, (i) => `<link name="l${i}"/>${joint(`j${i}`, 'a', `l${i}`)}`)}</robot>`,
	],
	[
		'a circle of 3000 links',
		'error',
		() =>
			`<robot name="r">${times(3_000, (i) => `<link name="l${i}"/>${joint(`j${i}`, `l${i}`, `l${(i + 1) % 3_000}`)}`)}</robot>`,
	],
	['a link that hangs on itself', 'error', () => `<robot name="r">${LINK}${joint('j', 'a', 'a')}</robot>`],
	[
		'numbers out of range',
		'error',
		() =>
			`<robot name="r"><link name="a"><inertial><mass value="1e999"/><inertia ixx="nan" iyy="-inf" izz="0x10"/></inertial></link></robot>`,
	],
	[
		'a mesh without a file',
		'error',
		() => '<robot name="r"><link name="a"><visual><geometry><mesh filename=""/></geometry></visual></link></robot>',
	],
	['names with signs', 'clean', () => '<robot name="a/b\\c"><link name="[x]/y@z"/></robot>'],
	[
		'shapes of size zero',
		'any',
		() =>
			'<robot name="r"><link name="a"><collision><geometry><box size="0 0 0"/></geometry></collision><collision><geometry><sphere radius="0"/></geometry></collision></link></robot>',
	],
	[
		'a mass below zero',
		'told',
		() => '<robot name="r"><link name="a"><inertial><mass value="-1"/></inertial></link></robot>',
	],
];

const MJCF: readonly Attack[] = [
	['a body that includes its own file', 'error', () => '<mujoco><include file="fuzz.mjcf"/></mujoco>'],
	[
		'numbers out of range',
		'error',
		() => '<mujoco><worldbody><body pos="1e999 0 0"><geom size="nan"/></body></worldbody></mujoco>',
	],
	[
		'a class of its own class',
		'any',
		() =>
			'<mujoco><default class="main"><default class="a"><default class="a"/></default></default><worldbody/></mujoco>',
	],
];

const model = (content: string): string => `<sdf version="1.9"><model name="m">${content}</model></sdf>`;

const SDF: readonly Attack[] = [
	[
		'a model that includes its own file',
		'error',
		() => '<sdf version="1.9"><include><uri>fuzz.sdf</uri></include></sdf>',
	],
	['numbers out of range', 'told', () => model('<link name="a"><pose>nan 0 1e999 0 0 0</pose></link>')],
	[
		'frames in a circle',
		'error',
		() =>
			model(
				'<link name="a"><pose relative_to="f"/></link><frame name="f" attached_to="g"/><frame name="g" attached_to="f"/>',
			),
	],
	[
		'200 nested models',
		'any',
		() => model(`${'<model name="n">'.repeat(200)}<link name="a"/>${'</model>'.repeat(200)}`),
	],
	[
		'300 links in a chain of joints',
		'any',
		() =>
			model(
				`${times(300, (i) => `<link name="l${i}"/>`)}${times(299, (i) => `<joint name="j${i}" type="fixed"><parent>l${i}</parent><child>l${i + 1}</child></joint>`)}`,
			),
	],
	[
		'names that lead elsewhere',
		'any',
		() =>
			model(
				'<link name="../../etc/passwd"><visual name="/x"><geometry><mesh><uri>file:///etc/passwd</uri></mesh></geometry></visual></link><link name="&lt;/model&gt;"/>',
			),
	],
];

const OWN = { urdf: URDF, mjcf: MJCF, sdf: SDF } as const;
