import { describe, it } from 'vitest';
import { expectMarked, layerOf } from './marked.ts';

const robot = (...lines: string[]): string => `def Xform "robot" {\n${lines.join('\n')}\n}`;
/** The first bytes of image files, as far as their kind and depth are told by them. */
const png = (depth: number): Uint8Array =>
	Uint8Array.from([
		0x89,
		0x50,
		0x4e,
		0x47,
		13,
		10,
		26,
		10,
		0,
		0,
		0,
		13,
		0x49,
		0x48,
		0x44,
		0x52,
		0,
		0,
		0,
		1,
		0,
		0,
		0,
		1,
		depth,
		2,
		0,
		0,
		0,
		0,
		0,
		0,
		0,
	]);
const JPEG = Uint8Array.from([
	0xff, 0xd8, 0xff, 0xc0, 0, 17, 8, 0, 1, 0, 1, 3, 1, 0x11, 0, 2, 0x11, 0, 3, 0x11, 0, 0xff, 0xd9,
]);
const HDR = new TextEncoder().encode('#?RADIANCE\nFORMAT=32-bit_rle_rgbe\n\n-Y 1 +X 1\n');
const EXR = Uint8Array.from([0x76, 0x2f, 0x31, 0x01, 2, 0, 0, 0, 0, 0, 0, 0]);
const TIFF = Uint8Array.from([0x49, 0x49, 42, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0]);
const KTX2 = Uint8Array.from([0xab, 0x4b, 0x54, 0x58, 0x20, 0x32, 0x30, 0xbb, 13, 10, 26, 10, ...Array(68).fill(0)]);
const BMP = Uint8Array.from([
	0x42,
	0x4d,
	58,
	0,
	0,
	0,
	0,
	0,
	0,
	0,
	54,
	0,
	0,
	0,
	40,
	0,
	0,
	0,
	1,
	0,
	0,
	0,
	1,
	0,
	0,
	0,
	1,
	0,
	24,
	0,
	...Array(28).fill(0),
]);

const surface = (name: string, lines: string, id = 'uniform token info:id = "UsdPreviewSurface"'): string =>
	`def Shader "surface" {\n${id}\n${lines}\ntoken outputs:surface\n}`.replaceAll('NAME', name);
const material = (name: string, lines: string, shaders = '', mark = '', head = ''): string =>
	`def Material "${name}" {${head}\ntoken outputs:surface.connect = </robot/${name}/surface.outputs:surface>${mark}\n${lines}\n${shaders}\n}`;
const connected = (name: string, input: string, output = 'rgb', type = 'color3f'): string =>
	`${type} inputs:${input}.connect = </robot/${name}/texture.outputs:${output}>`;
const texture = (name: string, file: string, mark = '', more = ''): string =>
	`def Shader "texture" {\nuniform token info:id = "UsdUVTexture"\nasset inputs:file = @${file}@${mark}\nfloat2 inputs:st.connect = </robot/${name}/reader.outputs:result>\n${more}\nfloat3 outputs:rgb\nfloat outputs:a\nfloat outputs:r\n}\ndef Shader "reader" {\nuniform token info:id = "UsdPrimvarReader_float2"\nstring inputs:varname = "st"\nfloat2 outputs:result\n}`;
const image = (name: string, input: string, file: string, mark = '', output = 'rgb', type = 'color3f'): string =>
	material(name, '', `${surface(name, connected(name, input, output, type))}\n${texture(name, file, mark)}`);
const IMAGES = {
	'a.png': png(8),
	'deep.png': png(16),
	'a.jpg': JPEG,
	'a.hdr': HDR,
	'a.exr': EXR,
	'a.tif': TIFF,
	'a.ktx2': KTX2,
	'a.bmp': BMP,
	'no.png': new TextEncoder().encode('hello'),
};
const withImages = (text: string): Record<string, string | Uint8Array> => ({ 'robot.usda': layerOf(text), ...IMAGES });

describe('materials', () => {
	it('have the preview surface, and others on terminals of their own', () => {
		const other = (name: string, id: string, mark: string, terminal = ''): string =>
			material(name, '', surface(name, '', `${id}${mark}`), terminal);
		const rule = ' # R3.1.1';
		const own = ' # R3.1.3';
		const ids = [
			'ND_standard_surface',
			'mdlMaterial',
			'oslShader',
			'MtlxSurface',
			'PxrSurface',
			'ai_standard',
			'arnold:standard',
			'standard_surface',
			'acme.mdl',
			'acme.osl',
		];
		expectMarked(
			['R3.1.1', 'R3.1.3'],
			robot(
				material('good', '', surface('good', '')),
				'def Material "bare" { } # R3.1.1',
				'def Material "lost" {\ntoken outputs:surface.connect = </robot/lost/gone.outputs:surface> # R3.1.1\n}',
				other('unknown', 'uniform token info:id = "AcmeSurface"', rule),
				`def Material "untold" {\ntoken outputs:surface.connect = </robot/untold/surface.outputs:surface>\ndef Shader "surface" { # R3.1.1\ntoken outputs:surface\n}\n}`,
				...ids.map((id, i) => other(`p${i}`, `uniform token info:id = "${id}"`, '', own)),
				other('source', 'uniform token info:implementationSource = "sourceAsset"', '', own),
				other('code', 'uniform token info:implementationSource = "sourceCode"', '', own),
				other('mdl', 'uniform asset info:mdl:sourceAsset = @./a.mdl@', '', own),
				'def Material "feel" (prepend apiSchemas = ["PhysicsMaterialAPI"]) { }',
			),
		);
	});

	it('are the same for all purposes', () => {
		const bind = (lines: string): string => `def Cube "a" (prepend apiSchemas = ["MaterialBindingAPI"]) {\n${lines}\n}`;
		const [one, two] = [material('one', '', surface('one', '')), material('two', '', surface('two', ''))];
		const rule = ['R3.1.4'];
		expectMarked(
			rule,
			robot(one, two, bind('rel material:binding = </robot/one>\nrel material:binding:full = </robot/one>')),
		);
		expectMarked(
			rule,
			robot(one, two, bind('rel material:binding = </robot/one>\nrel material:binding:full = </robot/two> # R3.1.4')),
		);
		expectMarked(
			rule,
			robot(
				one,
				two,
				bind('rel material:binding = </robot/one>\nrel material:binding:preview = </robot/two> # R3.1.4'),
			),
		);
		expectMarked(rule, robot(one, two, bind('rel material:binding:preview = </robot/two> # R3.1.4')));
		expectMarked(
			rule,
			robot(one, two, bind('rel material:binding = </robot/one>\nrel material:binding:physics = </robot/two>')),
		);
	});

	it('of parts of a mesh cover each face once', () => {
		const subset = (
			name: string,
			indices: string,
			family = 'uniform token familyName = "materialBind"',
			mark = '',
			head = '',
		): string =>
			`def GeomSubset "${name}" (prepend apiSchemas = ["MaterialBindingAPI"]) {${head}\n${family}\nuniform token elementType = "face"\nint[] indices = ${indices}${mark}\nrel material:binding = </robot/one>\n}`;
		const mesh = (content: string, more = 'uniform token subsetFamily:materialBind:familyType = "partition"'): string =>
			robot(
				material('one', '', surface('one', '')),
				`def Mesh "m" (prepend apiSchemas = ["MaterialBindingAPI"]) {\n${more}\npoint3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\nint[] faceVertexCounts = [3, 3]\nint[] faceVertexIndices = [0, 1, 2, 0, 2, 1]\n${content}\n}`,
			);
		const rule = ['R3.1.8'];
		expectMarked(rule, mesh(`${subset('a', '[0]')}\n${subset('b', '[1]')}`));
		expectMarked(rule, mesh(`${subset('a', '[0, 1]')}\n${subset('b', '[1]', undefined, ' # R3.1.8')}`));
		expectMarked(rule, mesh(subset('a', '[0]', undefined, ' # R3.1.8')));
		expectMarked(
			rule,
			mesh(
				subset('a', '[0]'),
				'rel material:binding = </robot/one>\nuniform token subsetFamily:materialBind:familyType = "nonOverlapping"',
			),
		);
		expectMarked(rule, mesh(`${subset('a', '[0, 1]', 'uniform token familyName = "other" # R3.1.8')}`));
		expectMarked(rule, mesh(`${subset('a', '[0, 1]', '', '', '# R3.1.8')}`));
		expectMarked(
			rule,
			mesh(
				`${subset('a', '[0, 1]')}`,
				'uniform token subsetFamily:materialBind:familyType = "unrestricted" # R3.1.8:warning',
			),
		);
		expectMarked(rule, mesh('def GeomSubset "a" { int[] indices = [0] }'));
	});
});

describe('textures', () => {
	it('are PNG or JPEG of eight bits', () => {
		const rules = ['R3.2.1', 'R3.2.4', 'R3.2.5'];
		const use = (name: string, file: string, mark = ''): string => image(name, 'diffuseColor', `./${file}`, mark);
		expectMarked(
			rules,
			withImages(
				robot(
					use('a', 'a.png'),
					use('b', 'a.jpg'),
					use('c', 'deep.png', ' # R3.2.1'),
					use('d', 'a.bmp', ' # R3.2.1'),
					use('e', 'no.png', ' # R3.2.1'),
					use('f', 'gone.png'),
					use('g', 'a.ktx2', ' # R3.2.4'),
					use('h', 'a.exr', ' # R3.2.5'),
					use('i', 'a.tif', ' # R3.2.5'),
					use('j', 'a.hdr', ' # R3.2.5'),
					use('k', 'gone.exr', ' # R3.2.5'),
					use('l', 'gone.TIFF', ' # R3.2.5'),
					use('m', 'gone.tif', ' # R3.2.5'),
					use('n', 'gone.hdr', ' # R3.2.5'),
					use('o', 'gone.ktx2', ' # R3.2.4'),
					use('p', 'tile.<UDIM>.png'),
				),
			),
		);
	});

	it('of data are not compressed with loss', () => {
		expectMarked(
			['R3.2.2', 'R3.2.3'],
			withImages(
				robot(
					image('a', 'normal', './a.jpg', ' # R3.2.2', 'rgb', 'normal3f'),
					image('b', 'roughness', './a.jpg', ' # R3.2.2', 'r', 'float'),
					image('c', 'normal', './a.png', '', 'rgb', 'normal3f'),
					image('d', 'diffuseColor', './a.jpg'),
					image('e', 'opacity', './a.jpg', ' # R3.2.3', 'a', 'float'),
					image('f', 'opacity', './a.png', '', 'a', 'float'),
				),
			),
		);
	});

	it('of environments are Radiance HDR or plain images', () => {
		const dome = (name: string, file: string, mark = '', type = 'DomeLight'): string =>
			`def ${type} "${name}" {\nasset inputs:texture:file = @${file}@${mark}\n}`;
		const rule = ' # R3.2.6';
		expectMarked(
			['R3.2.6'],
			withImages(
				robot(
					dome('a', './a.hdr'),
					dome('b', './a.png'),
					dome('c', './a.jpg'),
					dome('d', './deep.png', rule),
					dome('e', './a.exr', rule),
					dome('f', './no.png', rule),
					dome('g', './gone.exr'),
					dome('h', ''),
					dome('i', './a.exr', rule, 'DomeLight_1'),
					'def DomeLight "j" { }',
				),
			),
		);
	});

	it('are read by plain networks', () => {
		const through = (name: string, id: string, mark: string): string =>
			material(
				name,
				'',
				`${surface(name, `color3f inputs:diffuseColor.connect = </robot/${name}/node.outputs:out>`)}\ndef Shader "node" {\n${id}${mark}\ncolor3f outputs:out\n}`,
			);
		expectMarked(
			['R3.3.1', 'R3.3.2'],
			withImages(
				robot(
					image('a', 'diffuseColor', './a.png'),
					through('b', 'uniform token info:id = "AcmeNoise"', ' # R3.3.1'),
					through('c', 'uniform token info:id = "UsdPrimvarReader_float3"', ''),
					through('d', 'uniform token info:id = "UsdTransform2d"', ''),
					through('e', 'uniform token info:id = "AcmeImage"', ' # R3.3.2').replace(
						'color3f outputs:out',
						'asset inputs:file = @./a.png@\ncolor3f outputs:out',
					),
				),
			),
		);
	});

	it('and colours of vertices are interpolated', () => {
		const mesh = (name: string, lines: string): string =>
			`def Mesh "${name}" (prepend apiSchemas = ["MaterialBindingAPI"]) {\npoint3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = [0, 1, 2]\n${lines}\n}`;
		const colour = (name: string, interpolation: string, mark = '', type = 'color3f', value = '(1, 0, 0)'): string =>
			`${type}[] primvars:${name} = [${value}] (\ninterpolation = "${interpolation}"${mark}\n)`;
		expectMarked(
			['R3.3.3'],
			robot(
				material(
					'painted',
					'',
					`${surface('painted', 'color3f inputs:diffuseColor.connect = </robot/painted/node.outputs:result>')}\ndef Shader "node" {\nuniform token info:id = "UsdPrimvarReader_float3"\nstring inputs:varname = "paint"\nfloat3 outputs:result\n}`,
				),
				mesh('a', colour('displayColor', 'vertex')),
				mesh('b', colour('displayColor', 'uniform', ' # R3.3.3')),
				mesh('c', colour('displayColor', 'faceVarying', ' # R3.3.3')),
				mesh('d', colour('displayColor', 'constant')),
				mesh('e', colour('displayOpacity', 'uniform', ' # R3.3.3', 'float', '1')),
				mesh('f', colour('paint', 'uniform')),
				mesh('g', `${colour('paint', 'uniform', ' # R3.3.3')}\nrel material:binding = </robot/painted>`),
			),
		);
	});
});

describe('texture coordinates', () => {
	const square = (
		name: string,
		low: string,
		high: string,
		mark = '',
		type = 'texCoord2f',
		primvar = 'st',
		to = 'tex',
	): string => {
		const [u0, v0] = low.split(' ');
		const [u1, v1] = high.split(' ');
		return `def Mesh "${name}" (prepend apiSchemas = ["MaterialBindingAPI"]) {\npoint3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0)]\nint[] faceVertexCounts = [4]\nint[] faceVertexIndices = [0, 1, 2, 3]\n${type}[] primvars:${primvar} = [(${u0}, ${v0}), (${u1}, ${v0}), (${u1}, ${v1}), (${u0}, ${v1})] (interpolation = "vertex")${mark}\n${to === '' ? '' : `rel material:binding = </robot/${to}>`}\n}`;
	};
	const tex = (more = '', mark = ''): string =>
		material(
			'tex',
			'',
			`${surface('tex', connected('tex', 'diffuseColor'))}\n${texture('tex', './a.png', '', more)}`,
		).replace('def Shader "texture" {', `def Shader "texture" {${mark}`);
	const check = (rules: readonly string[], ...lines: string[]): void =>
		expectMarked(rules, withImages(robot(...lines)));

	it('without a texture lie in the unit square', () => {
		const rule = ['R3.1.7'];
		check(rule, square('m', '0 0', '1 1', '', 'texCoord2f', 'st', ''));
		check(rule, square('m', '0 0', '1.00005 1', '', 'texCoord2f', 'st', ''));
		for (const [low, high] of [
			['-0.5 0', '0.5 0.5'],
			['0 -0.5', '0.5 0.5'],
			['0 0', '1.5 1'],
			['0 0', '1 1.5'],
		] as const)
			check(rule, square('m', low, high, ' # R3.1.7', 'texCoord2f', 'st', ''));
		check(rule, square('m', '0 0', '2 2', ' # R3.1.7', 'float2', 'st', ''));
		check(rule, square('m', '0 0', '2 2', '', 'float2', 'other', ''));
		// laid out in tiles with a texture
		check(
			rule,
			tex('token inputs:wrapS = "repeat"\ntoken inputs:wrapT = "repeat"'),
			square('m', '1.1 0.1', '1.9 0.9', ' # R3.1.7'),
		);
		check(rule, tex('token inputs:wrapS = "repeat"\ntoken inputs:wrapT = "repeat"'), square('m', '0 0', '3 3'));
	});

	it('beyond it need a texture that repeats', () => {
		const rule = ['R3.1.9'];
		const wrap = (s: string, t: string, mark = ''): string =>
			`token inputs:wrapS = "${s}"${mark}\ntoken inputs:wrapT = "${t}"`;
		check(rule, tex(wrap('repeat', 'repeat')), square('m', '0 0', '3 3'));
		check(rule, tex(wrap('mirror', 'mirror')), square('m', '0 0', '3 3'));
		check(rule, tex(wrap('clamp', 'repeat', ' # R3.1.9')), square('m', '0 0', '3 3'));
		check(rule, tex('token inputs:wrapS = "repeat"\ntoken inputs:wrapT = "black" # R3.1.9'), square('m', '0 0', '3 3'));
		check(rule, tex('token inputs:wrapT = "repeat"', ' # R3.1.9'), square('m', '0 0', '3 3'));
		check(rule, tex('', ''), square('m', '0 0', '1 1'));
		check(rule, tex('token inputs:wrapT = "clamp" # R3.1.9'), square('m', '0 -1', '1 1'));
		check(rule, tex('token inputs:wrapS = "clamp" # R3.1.9'), square('m', '-1 0', '1 1'));
		check(rule, tex(wrap('clamp', 'clamp')), square('m', '0 0', '3 3', '', 'texCoord2f', 'other'));
	});

	it('are read through transforms of scale, then rotation, then translation', () => {
		const moved = (lines: string, mark = ''): string =>
			material(
				'tex',
				'',
				`${surface('tex', connected('tex', 'diffuseColor'))}\ndef Shader "texture" {\nuniform token info:id = "UsdUVTexture"\nasset inputs:file = @./a.png@\nfloat2 inputs:st.connect = </robot/tex/move.outputs:result>\ntoken inputs:wrapS = "clamp"${mark}\ntoken inputs:wrapT = "repeat"\nfloat3 outputs:rgb\n}\ndef Shader "move" {\nuniform token info:id = "UsdTransform2d"\nfloat2 inputs:in.connect = </robot/tex/reader.outputs:result>\n${lines}\nfloat2 outputs:result\n}\ndef Shader "reader" {\nuniform token info:id = "UsdPrimvarReader_float2"\nstring inputs:varname = "st"\nfloat2 outputs:result\n}`,
			);
		const rule = ['R3.1.9'];
		const mark = ' # R3.1.9';
		const unit = square('m', '0 0', '1 1');
		check(rule, moved(''), unit);
		check(rule, moved('float2 inputs:scale = (2, 1)', mark), unit);
		check(rule, moved('float2 inputs:scale = (1, 2)'), unit);
		check(rule, moved('float2 inputs:scale = (0.5, 0.5)'), square('m', '0 0', '2 2'));
		check(rule, moved('float2 inputs:translation = (0.5, 0)', mark), unit);
		check(rule, moved('float2 inputs:translation = (0, 0.5)'), unit);
		check(rule, moved('float2 inputs:translation = (-1, 0)'), square('m', '1 0', '2 1'));
		// a quarter turn takes (u, v) to (-v, u)
		check(rule, moved('float inputs:rotation = 90', mark), unit);
		check(rule, moved('float inputs:rotation = 90\nfloat2 inputs:translation = (1, 0)'), unit);
		check(rule, moved('float inputs:rotation = -90'), unit);
		check(
			rule,
			moved('float inputs:rotation = 90\nfloat2 inputs:scale = (3, 1)\nfloat2 inputs:translation = (1, 0)'),
			unit,
		);
		check(
			rule,
			moved('float inputs:rotation = 90\nfloat2 inputs:scale = (1, 3)\nfloat2 inputs:translation = (1, 0)', mark),
			unit,
		);
	});

	it('are not laid out in tiles', () => {
		const rule = ['R3.1.6'];
		const named = (file: string, mark: string): string =>
			material('tex', '', `${surface('tex', connected('tex', 'diffuseColor'))}\n${texture('tex', file, mark)}`);
		for (const file of ['./a.<UDIM>.png', './a.<udim>.png', './a.<UVTILE0>.png', './a.%(UDIM)d.png'])
			check(rule, named(file, ' # R3.1.6'), square('m', '0 0', '1 1'));
		check(rule, named('./a.1001.png', ' # R3.1.6'), square('m', '1.1 0.1', '1.9 0.9'));
		check(rule, named('./a_1002_x.png', ' # R3.1.6'), square('m', '0.1 1.1', '0.9 1.9'));
		check(rule, named('./a.1001.png', ''), square('m', '0 0', '1 1'));
		check(rule, named('./a.2001.png', ''), square('m', '1.1 0.1', '1.9 0.9'));
		check(rule, named('./a1001.png', ''), square('m', '1.1 0.1', '1.9 0.9'));
	});
});

describe('meshes', () => {
	const TETRA = 'point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1)]';
	const OUT = '[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3]';
	const collider = (
		name: string,
		points: string,
		counts: string,
		indices: string,
		marks: readonly string[] = ['', '', ''],
		more = '',
		schemas = 'prepend apiSchemas = ["PhysicsCollisionAPI"]',
	): string =>
		`def Mesh "${name}" (${schemas}) {\n${points}${marks[0]}\nint[] faceVertexCounts = ${counts}${marks[1]}\nint[] faceVertexIndices = ${indices}${marks[2]}\n${more}\n}`;
	const CUBE =
		'point3f[] points = [(0, 0, 0), (1, 0, 0), (1, 1, 0), (0, 1, 0), (0, 0, 1), (1, 0, 1), (1, 1, 1), (0, 1, 1)]';

	it('that collide are closed and made of triangles', () => {
		const open = ['', '', ' # R3.4.5'];
		expectMarked(
			['R3.4.1', 'R3.4.5'],
			robot(
				collider('good', TETRA, '[3, 3, 3, 3]', OUT),
				collider(
					'quads',
					CUBE,
					'[4, 4, 4, 4, 4, 4]',
					'[0, 3, 2, 1, 4, 5, 6, 7, 0, 1, 5, 4, 1, 2, 6, 5, 2, 3, 7, 6, 3, 0, 4, 7]',
					['', ' # R3.4.1', ''],
				),
				collider('open', TETRA, '[3, 3, 3]', '[0, 2, 1, 0, 1, 3, 0, 3, 2]', open),
				collider('inward', TETRA, '[3, 3, 3, 3]', '[0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2]', open),
				collider('mixed', TETRA, '[3, 3, 3, 3]', '[0, 1, 2, 0, 1, 3, 0, 3, 2, 1, 2, 3]', open),
				collider('wrong', TETRA, '[3, 3, 3, 3]', '[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 9]', open),
				collider('shown', TETRA, '[3]', '[0, 1, 2]', ['', '', ''], '', 'doc = ""'),
				'def Cube "cube" (prepend apiSchemas = ["PhysicsCollisionAPI"]) { }',
			),
		);
	});

	it('that are seen are right-handed, and double-sided only if they look outwards', () => {
		const shown = (name: string, indices: string, more: string): string =>
			collider(name, TETRA, '[3, 3, 3, 3]', indices, ['', '', ''], more, 'doc = ""');
		const IN = '[0, 1, 2, 0, 3, 1, 0, 2, 3, 1, 3, 2]';
		const both = (mark = ''): string => `uniform bool doubleSided = true${mark}`;
		const normals = (interpolation: string, values: string, name = 'normals'): string =>
			`${both()}\nnormal3f[] ${name} = ${values} (interpolation = "${interpolation}")`;
		const per = (sign: number): string =>
			`[(0, 0, ${-sign}), (0, ${-sign}, 0), (${-sign}, 0, 0), (${sign}, ${sign}, ${sign})]`;
		const corners = (sign: number): string => {
			const each = per(sign)
				.slice(1, -1)
				.split('), ')
				.map((text) => (text.endsWith(')') ? text : `${text})`));
			return `[${each.flatMap((text) => [text, text, text]).join(', ')}]`;
		};
		const wrong = (text: string): string => text.replace('doubleSided = true', 'doubleSided = true # R3.4.4');
		expectMarked(
			['R3.4.3', 'R3.4.4'],
			robot(
				shown('a', OUT, ''),
				shown('b', OUT, 'uniform token orientation = "leftHanded" # R3.4.3'),
				shown('c', OUT, 'uniform token orientation = "rightHanded"'),
				shown('d', OUT, both()),
				shown('e', IN, both(' # R3.4.4')),
				shown('f', IN, ''),
				shown('g', '[0, 1, 2, 0, 1, 3, 0, 3, 2, 1, 2, 3]', both(' # R3.4.4')),
				shown('h', OUT, normals('uniform', per(1))),
				shown('i', OUT, wrong(normals('uniform', per(-1)))),
				shown('j', OUT, normals('faceVarying', corners(1))),
				shown('k', OUT, wrong(normals('faceVarying', corners(-1)))),
				shown('l', OUT, normals('vertex', '[(-1, -1, -1), (1, 0, 0), (0, 1, 0), (0, 0, 1)]')),
				shown('m', OUT, wrong(normals('vertex', '[(1, 1, 1), (-1, 0, 0), (0, -1, 0), (0, 0, -1)]'))),
				shown('n', OUT, wrong(normals('constant', '[(0, 0, 1)]'))),
				shown('o', OUT, wrong(normals('uniform', per(-1), 'primvars:normals'))),
				shown('p', OUT, wrong(normals('uniform', '[(0, 0, 1), (0, -1, 0), (-1, 0, 0), (1, 1, 1)]'))),
			),
		);
	});

	it('that collide do not pass through themselves', () => {
		const two = (shift: number): string =>
			`point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0), (0, 0, 1), (${0.1 + shift}, 0.1, -0.5), (${1.1 + shift}, 0.1, -0.5), (${0.1 + shift}, 1.1, -0.5), (${0.1 + shift}, 0.1, 0.5)]`;
		const faces = '[0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3, 4, 6, 5, 4, 5, 7, 4, 7, 6, 5, 6, 7]';
		const eight = '[3, 3, 3, 3, 3, 3, 3, 3]';
		const rule = ['R3.4.6'];
		expectMarked(
			rule,
			robot(collider('a', two(5), eight, faces), collider('b', two(0), eight, faces, [' # R3.4.6', '', ''])),
		);
		expectMarked(rule, robot(collider('b', two(0), eight, faces)), { thresholds: { geometryTriangles: 7 } });
		expectMarked(rule, robot(collider('b', two(0), eight, faces, [' # R3.4.6', '', ''])), {
			thresholds: { geometryTriangles: 8 },
		});
		expectMarked(rule, robot(collider('b', two(0), eight, faces, ['', '', ''], '', 'doc = ""')));
	});

	it('that are equal are instances of one', () => {
		const mesh = (
			name: string,
			points = '(0, 0, 0), (1, 0, 0), (0, 1, 0)',
			faces = '[0, 1, 2]',
			mark = '',
			more = '',
		): string =>
			`def Mesh "${name}" {${mark}\npoint3f[] points = [${points}]\nint[] faceVertexCounts = [3]\nint[] faceVertexIndices = ${faces}\n${more}\n}`;
		const rule = ['R3.5.1'];
		const first = mesh('a', undefined, undefined, ' # R3.5.1');
		expectMarked(rule, robot(first, mesh('b'), mesh('c')));
		expectMarked(rule, robot(mesh('a'), mesh('b')));
		expectMarked(rule, robot(mesh('a'), mesh('b'), mesh('c', '(0, 0, 0), (1, 0, 0), (0, 2, 0)')));
		expectMarked(rule, robot(mesh('a'), mesh('b'), mesh('c', undefined, '[0, 2, 1]')));
		expectMarked(rule, robot(first, mesh('b'), mesh('c', '(0, 0, 0), (1, -0, 0), (0, 1, 0)')));
		expectMarked(
			rule,
			robot(mesh('a'), mesh('b'), mesh('c', undefined, undefined, '', 'float3[] extent = [(0, 0, 0), (1, 1, 0)]')),
		);
		expectMarked(rule, robot(mesh('a', ''), mesh('b', ''), mesh('c', '')));
		expectMarked(rule, robot(`def PointInstancer "p" {\n${mesh('a')}\n${mesh('b')}\n${mesh('c')}\n}`));
		const part = layerOf(
			`def Xform "part" {\n${mesh('x')}\n${mesh('y', '(0, 0, 0), (1, 0, 0), (0, 3, 0)')}\n}`,
			'defaultPrim = "part"',
		);
		const uses = (arc: string, mark: string, more = ''): Record<string, string> => ({
			'robot.usda': layerOf(
				robot(
					...['a', 'b', 'c'].map(
						(name, i) => `def Xform "${name}" (\n${arc} = @./part.usda@${i === 0 ? mark : ''}\n${more}\n) { }`,
					),
				),
			),
			'part.usda': part,
		});
		expectMarked(rule, uses('references', ' # R3.5.1'));
		expectMarked(rule, uses('payload', ' # R3.5.1'));
		expectMarked(rule, uses('references', '', 'instanceable = true'));
	});
});

describe('instances', () => {
	it('hold geometry, and come by arcs', () => {
		const asset = (content: string, mark: string, schemas = '', arc = 'references'): Record<string, string> => ({
			'robot.usda': layerOf(robot(`def Xform "a" (\n${arc} = @./part.usda@\ninstanceable = true${mark}\n) { }`)),
			'part.usda': layerOf(`def Xform "part" (${schemas}) {\n${content}\n}`, 'defaultPrim = "part"'),
		});
		const rules = ['R3.5.2', 'R3.5.3'];
		const frame = 'def Xform "f" (prepend apiSchemas = ["RosFrameAPI"]) { }';
		expectMarked(rules, asset(frame, ' # R3.5.2'));
		expectMarked(rules, asset('def Cube "c" { }', ''));
		expectMarked(rules, asset(`${frame}\ndef Xform "b" (prepend apiSchemas = ["PhysicsRigidBodyAPI"]) { }`, ''));
		expectMarked(rules, asset(`${frame}\ndef PhysicsFixedJoint "b" { }`, ''));
		expectMarked(rules, asset(`${frame}\ndef Xform "b" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) { }`, ''));
		expectMarked(rules, asset('', '', 'prepend apiSchemas = ["RosContextAPI"]'));
		expectMarked(rules, asset('', ' # R3.5.2', 'prepend apiSchemas = ["RosTopicAPI"]'));
		expectMarked(rules, asset('def Xform "n" (prepend apiSchemas = ["RosContextAPI"]) { }', ' # R3.5.2'));
		expectMarked(
			rules,
			robot('def Xform "a" (\ninstanceable = true # R3.5.3\n) { }', 'def Xform "b" (instanceable = false) { }'),
		);
	});
});

describe('lights', () => {
	it('are those of UsdLux, and points rather than areas', () => {
		const light = (type: string, mark = ''): string => `def ${type} "${type}" { }${mark}`;
		expectMarked(
			['R3.6.1', 'R3.6.2', 'R3.6.4'],
			robot(
				light('DistantLight'),
				light('SphereLight'),
				light('DomeLight'),
				light('DomeLight_1'),
				light('RectLight', ' # R3.6.4'),
				light('DiskLight', ' # R3.6.4'),
				light('CylinderLight', ' # R3.6.4'),
				light('GeometryLight', ' # R3.6.4'),
				light('PortalLight', ' # R3.6.4'),
				light('PluginLight', ' # R3.6.2'),
				light('AcmeLight', ' # R3.6.1'),
				light('AcmeLight_2', ' # R3.6.1'),
				light('Lightbulb'),
				'def Mesh "mesh" (prepend apiSchemas = ["MeshLightAPI"]) { } # R3.6.4',
				'def Volume "fog" (prepend apiSchemas = ["VolumeLightAPI"]) { } # R3.6.2',
			),
		);
	});

	const shining = (name: string, colour: string): string =>
		material(name, '', surface(name, colour === '' ? '' : `color3f inputs:emissiveColor = ${colour}`));
	const part = (name: string, to: string, mark = '', schemas = '"MaterialBindingAPI"'): string =>
		`def Cube "${name}" (prepend apiSchemas = [${schemas}]) {${mark}\nrel material:binding = </robot/${to}>\n}`;

	it('that show a state shine', () => {
		const rule = ' # R3.6.5';
		const names = [
			'status_led',
			'LedRing2',
			'leds',
			'indicator',
			'my_indicators',
			'beacon',
			'beacons_1',
			'status_light',
			'statusLights',
		];
		expectMarked(
			['R3.6.5'],
			robot(
				shining('dark', ''),
				shining('glow', '(0, 0.1, 0)'),
				...names.map((name) => part(name, 'dark', rule)),
				...names.map((name) => part(`${name}_on`, 'glow')),
				...['sealed', 'status', 'light', 'light_status', 'ledge'].map((name) => part(name, 'dark')),
				part('led_x', 'dark', '', '"MaterialBindingAPI", "PhysicsCollisionAPI"'),
				'def Cube "led_bare" { }',
			),
		);
	});

	it('stand beside what shines like a lamp', () => {
		const rules = ['R3.6.6', 'R3.6.7'];
		const asset = (kind: string, ...lines: string[]): string =>
			robot(shining('bright', '(0, 10, 0)'), shining('dim', '(9.9, 9, 9)'), ...lines).replace(
				'def Xform "robot" {',
				`def Xform "robot" (${kind}) {`,
			);
		const lamp = (mark = '', to = 'bright'): string => part('bulb', to, mark);
		const component = 'kind = "component"';
		expectMarked(rules, asset('', lamp(' # R3.6.6')));
		expectMarked(rules, asset('', lamp('', 'dim')));
		expectMarked(rules, asset(component, lamp(' # R3.6.7')));
		expectMarked(rules, asset(component, lamp('', 'dim')));
		expectMarked(rules, asset('', lamp(), 'def SphereLight "l" { }'));
		expectMarked(rules, asset('', lamp(), 'def DistantLight "l" { }'));
		expectMarked(rules, asset('', lamp(' # R3.6.7'), 'def RectLight "l" { }'));
		expectMarked(rules, asset('', lamp(' # R3.6.7'), 'def Xform "away" { def SphereLight "l" { }\n}'));
		expectMarked(rules, asset('', `def Xform "fixture" {\n${lamp()}\ndef Scope "s" { def SphereLight "l" { }\n}\n}`));
	});
});
