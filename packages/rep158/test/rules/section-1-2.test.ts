import { describe, it } from 'vitest';
import { expectMarked, layerOf } from './marked.ts';

const BODY = 'prepend apiSchemas = ["PhysicsRigidBodyAPI"]';
const POINTS = 'point3f[] points = [(0, 0, 0), (1, 0, 0), (0, 1, 0)]';
const sub = (body: string): string => layerOf(body);
const files = (layers: Readonly<Record<string, string>>, arcs = Object.keys(layers)): Record<string, string> => ({
	'robot.usda': layerOf(
		'def Xform "robot" { }',
		`defaultPrim = "robot"\n\tsubLayers = [${arcs.map((name) => `@./${name}@`).join(', ')}]`,
	),
	...layers,
});

describe('the asset', () => {
	it('is one root prim, and what it targets is in it', () => {
		expectMarked(
			['R1.2.0.1'],
			`def Xform "robot" {
	rel out = </other> # R1.2.0.1
	rel in = [</robot>, </robot/a>]
	rel both = [</robot/a>, </other/x>] # R1.2.0.1
	def Material "a" {
		token outputs:surface.connect = </other.x> # R1.2.0.1
		token outputs:volume.connect = </robot/a.x>
	}
}
def Xform "other" { } # R1.2.0.1
def "untyped" { } # R1.2.0.1
class "base" { }
over "ghost" { }
def Xform "off" (active = false) { }
def PhysicsScene "scene" { }
def RenderSettings "settings" { }
def RenderProduct "product" { }
def RenderVar "variable" { }`,
		);
	});

	it('is not one layer of everything', () => {
		const material = 'def Material "m" { }';
		const shape = 'def Cube "shape" { }';
		const body = `def Xform "link" (${BODY}) { }`;
		const ros = 'def Xform "frame" (prepend apiSchemas = ["RosFrameAPI"]) { }';
		const asset = (...parts: string[]): string => `def Xform "robot" {\n${parts.join('\n')}\n}`;
		const at = ['robot.usda:1 R1.2.1.1'];
		expectMarked(['R1.2.1.1'], asset(material, shape, body), {}, at);
		expectMarked(['R1.2.1.1'], asset(material, shape, ros), {}, at);
		expectMarked(['R1.2.1.1'], asset(shape, body, ros), {}, at);
		expectMarked(['R1.2.1.1'], asset(material, body, ros), {}, at);
		expectMarked(['R1.2.1.1'], asset(material, shape));
		expectMarked(['R1.2.1.1'], asset(body, ros));
		// mesh data beside simulation schemas is a matter of the stricter rule
		expectMarked(['R1.2.1.1', 'R1.2.1.2'], asset(material, `def Mesh "mesh" { ${POINTS} } # R1.2.1.2`, body));
		expectMarked(['R1.2.1.1'], {
			...files({ 'rest.usda': sub(asset(material, shape, body)) }),
			'robot.usda': layerOf(asset(shape), 'defaultPrim = "robot"\n\tsubLayers = [@./rest.usda@]'),
		});
	});
});

describe('functional layers', () => {
	it('keep mesh data apart from physics and ROS', () => {
		expectMarked(
			['R1.2.1.2'],
			files({
				'stuff.usda': sub(`def Xform "robot" (${BODY}) {
	def Mesh "mesh" { ${POINTS} } # R1.2.1.2
	def Mesh "second" { ${POINTS} }
}`),
				'things.usda': sub(`def Xform "robot" (prepend apiSchemas = ["RosFrameAPI"]) {
	def Mesh "third" { ${POINTS} } # R1.2.1.2
}`),
				'primvars.usda': sub(`over "robot" (${BODY}) { float[] primvars:heat = [1] }`),
			}),
		);
	});

	it('named for geometry, materials and base hold nothing else', () => {
		const all = `over "robot" (
	prepend apiSchemas = ["PhysicsMassAPI", "PhysicsRigidBodyAPI", "RosFrameAPI"] # PHYSICS
) {
	def Mesh "mesh" {
		${POINTS} # MESH
	}
	def Cube "shape" { }
	def Material "m" { # MATERIAL
		def Shader "s" { }
	}
	def SphereLight "light" { } # LIGHT
	def DomeLight_1 "dome" { }
	def Camera "camera" { } # CAMERA
	def ComputeGraph "graph" { } # GRAPH
}`;
		const marked = (marks: Readonly<Record<string, string>>): string =>
			sub(all.replaceAll(/# ([A-Z]+)$/gm, (_, name: string) => (name in marks ? `# ${marks[name]}` : '')));
		const rules = ['R1.2.1.5', 'R1.2.1.6', 'R1.2.1.8'];
		const g = 'R1.2.1.5';
		const m = 'R1.2.1.6';
		expectMarked(rules, {
			...files({
				'geometry.usda': marked({
					PHYSICS: `${g} ${g}`,
					MATERIAL: g,
					LIGHT: g,
					CAMERA: g,
					GRAPH: g,
				}),
			}),
		});
		expectMarked(
			rules,
			files({
				'materials.usda': marked({
					PHYSICS: `${m} ${m}`,
					MESH: m,
					LIGHT: m,
					CAMERA: m,
					GRAPH: m,
				}).replace('def Mesh "mesh" {', `def Mesh "mesh" { # ${m}`),
			}),
		);
		expectMarked(rules, files({ 'base.usda': marked({ PHYSICS: 'R1.2.1.8 R1.2.1.8', GRAPH: 'R1.2.1.8' }) }));
		// a name that says nothing is no promise
		expectMarked(rules, files({ 'other.usda': marked({}) }));
	});

	it('for physics and ROS hold all of it, where there are such layers', () => {
		const rules = ['R1.2.1.9', 'R1.2.1.10'];
		const bodies = (mark = ''): string => sub(`over "robot" (${BODY}) { }${mark}`);
		const ros = (mark = ''): string => sub(`over "robot" (prepend apiSchemas = ["RosFrameAPI"]) { }${mark}`);
		const both = (mark = ''): string =>
			sub(`over "robot" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "RosFrameAPI"]) { }${mark}`);
		expectMarked(rules, files({ 'extra.usda': both(' # R1.2.1.9 R1.2.1.10'), 'physics.usda': bodies() }));
		expectMarked(rules, files({ 'extra.usda': both(' # R1.2.1.9 R1.2.1.10'), 'ros.usda': ros() }));
		expectMarked(rules, files({ 'extra.usda': both() }));
		// a layer that holds one of them alone is one of them
		expectMarked(rules, files({ 'extra.usda': bodies(), 'physics.usda': bodies() }));
		expectMarked(rules, files({ 'extra.usda': ros(), 'physics.usda': bodies() }));
		expectMarked(rules, files({ 'physics.usda': ros(' # R1.2.1.10'), 'ros.usda': bodies(' # R1.2.1.9') }));
		expectMarked(rules, files({ 'extra.usda': bodies(), 'more.usda': ros() }));
		expectMarked(rules, files({ 'physx.usda': bodies(), 'physics.usda': bodies() }));
		// scenes may stand anywhere
		expectMarked(
			rules,
			files({
				'extra.usda': sub('over "robot" { def PhysicsScene "scene" { float physics:gravityMagnitude = 9 }\n}'),
				'physics.usda': bodies(),
			}),
		);
	});

	it('that are referenced below the default prim are assets of their own', () => {
		expectMarked(['R1.2.1.9', 'R1.2.1.10'], {
			'robot.usda': layerOf(
				`over "robot" {
	def Xform "part" (references = @./part.usda@; prepend apiSchemas = ["RosContextAPI"]) { uniform string ros:context:namespace = "a" }
	def Xform "frame" (prepend apiSchemas = ["RosFrameAPI"]) { } # R1.2.1.10
	def Xform "plain" (prepend apiSchemas = ["RosContextAPI"]) { }
}`,
				'defaultPrim = "robot"\n\tsubLayers = [@./physics.usda@]',
			),
			'physics.usda': layerOf(`def Xform "robot" (${BODY}) { }`),
			'part.usda': layerOf(`def Xform "part" (${BODY}) { }`, 'defaultPrim = "part"'),
		});
	});

	it('of text hold few arrays, and the entry fewer', () => {
		const arrays = (floats: number): string => `float[] data = [${Array(floats).fill('1').join(', ')}]`;
		const rules = ['R1.2.1.4', 'R1.2.1.11', 'R1.2.3.5'];
		const options = { thresholds: { heavyBytes: 40, entryBytes: 20 } };
		const asset = (floats: number, mark = '', own = 0, ownMark = ''): Record<string, string> => ({
			'robot.usda': layerOf(
				`def Xform "robot" {\n${own === 0 ? '' : arrays(own)}${ownMark}\n}`,
				'defaultPrim = "robot"\n\tsubLayers = [@./data.usda@]',
			),
			'data.usda': layerOf(`over "robot" {
	def Xform "first" {
		float[] little = [1]
		${arrays(floats)}${mark}
	}
}`),
		});
		expectMarked(rules, asset(8), options);
		expectMarked(rules, asset(9, ' # R1.2.1.4 R1.2.3.5'), options);
		expectMarked(rules, asset(1, '', 5), options);
		expectMarked(rules, asset(1, '', 6, ' # R1.2.1.11'), options);
		// a heavy entry layer is told by its own rule
		expectMarked(rules, asset(1, '', 12, ' # R1.2.1.11 R1.2.3.5'), options);
		expectMarked(
			rules,
			{
				'robot.usda': layerOf('def Xform "robot" { def Xform "a" (payload = @./data.usda@</robot>) { }\n}'),
				'data.usda': layerOf(`def Xform "robot" {\n${arrays(12)} # R1.2.1.4\n}`),
			},
			options,
		);
	});

	it('for geometry are assembled once by instances', () => {
		const reference = (name: string, target: string, mark = ''): string =>
			`def Xform "${name}" (references = @./geometry.usda@${target}) { }${mark}`;
		const asset = (...parts: string[]): Record<string, string> => ({
			'robot.usda': layerOf(`def Xform "robot" {\n${parts.join('\n')}\n}`),
			'geometry.usda': layerOf('def Xform "part" { }\ndef Xform "other" { }', 'defaultPrim = "part"'),
			'instances.usda': layerOf('def Xform "part" { }', 'defaultPrim = "part"'),
		});
		const [a, b] = [reference('a', '</part>'), reference('b', '</part>')];
		expectMarked(['R1.2.1.7'], asset(a, b, reference('c', '</part>', ' # R1.2.1.7'), reference('d', '</part>')));
		expectMarked(['R1.2.1.7'], asset(a, b, reference('c', '</other>')));
		expectMarked(['R1.2.1.7'], asset(reference('a', ''), reference('b', ''), reference('c', '')));
		expectMarked(
			['R1.2.1.7'],
			asset(a, b, reference('c', '</part>'), 'def Xform "i" (references = @./instances.usda@) { }'),
		);
		const payload = 'def Xform "c" (payload = @./geometry.usda@</part>) { }';
		expectMarked(['R1.2.1.7'], asset(a, b, payload));
		const elsewhere = (name: string): string => `def Xform "${name}" (references = @./robot2.usda@</part>) { }`;
		expectMarked(['R1.2.1.7'], {
			...asset(elsewhere('a'), elsewhere('b'), elsewhere('c')),
			'robot2.usda': layerOf('def Xform "part" { }', 'defaultPrim = "part"'),
		});
	});

	it('may be a payload of the entry, which the REP is of two minds about', () => {
		const asset = (name: string, mark: string): Record<string, string> => ({
			'robot.usda': layerOf(`def Xform "robot" (\n\tpayload = @./${name}.usda@${mark}\n) { }`),
			[`${name}.usda`]: layerOf(`def Xform "robot" (${BODY}) { }`),
		});
		expectMarked(['R1.2.1.11'], asset('physics', ' # R1.2.1.11:info'));
		expectMarked(['R1.2.1.11'], asset('content', ''));
	});
});

describe('kinds', () => {
	const rules = ['R1.2.2.1', 'R1.2.2.2', 'R1.2.2.3', 'R1.2.2.4'];
	const asset = (kind: string, body = '', mark = ''): string =>
		`def Xform "robot" (\n\t${kind === '' ? 'doc = ""' : `kind = "${kind}"`}${mark}\n) {\n${body}\n}`;
	const child = (kind: string, mark = '', body = ''): string =>
		`def Xform "${kind}_part" (kind = "${kind}") {${mark}\n${body}\n}`;
	const noKind = (body: string): string => asset('', body).replace('def Xform "robot" (', 'def Xform "robot" (# MARK');

	it('of an asset without models is component', () => {
		expectMarked(rules, asset('component'));
		expectMarked(rules, noKind('').replace('# MARK', '# R1.2.2.1'));
		expectMarked(rules, asset('group', '', ' # R1.2.2.1:warning'));
		expectMarked(rules, asset('assembly', '', ' # R1.2.2.1:warning'));
		expectMarked(rules, asset('subcomponent', '', ' # R1.2.2.1'));
		expectMarked(rules, asset('model', '', ' # R1.2.2.1'));
		expectMarked(rules, asset('gadget', '', ' # R1.2.2.4'));
	});

	it('of an asset with models is group or assembly', () => {
		expectMarked(rules, asset('group', child('component')));
		expectMarked(rules, asset('assembly', child('component')));
		expectMarked(rules, asset('assembly', child('group', '', child('component'))));
		expectMarked(rules, noKind(child('component')).replace('# MARK', '# R1.2.2.2'));
		expectMarked(rules, asset('subcomponent', child('component'), ' # R1.2.2.2'));
		for (const kind of ['model', 'component', 'group', 'assembly'])
			expectMarked(rules, asset('component', child(kind, ' # R1.2.2.3')));
		expectMarked(rules, asset('component', child('subcomponent')));
		expectMarked(rules, asset('component', child('gadget', ' # R1.2.2.4')));
	});

	it('of a component that references others is told at its root', () => {
		const part = layerOf('def Xform "part" (kind = "component") { }', 'defaultPrim = "part"');
		const by = (arc: string): Record<string, string> => ({
			'robot.usda': layerOf(asset('component', `def Xform "a" (${arc} = @./part.usda@) { }`, ' # R1.2.2.2')),
			'part.usda': part,
		});
		expectMarked(rules, by('references'));
		expectMarked(rules, by('payload'));
		// a component inside of what is referenced is the business of that asset
		expectMarked(rules, {
			'robot.usda': layerOf(asset('component', 'def Xform "a" (references = @./part.usda@) { }')),
			'part.usda': layerOf(
				'def Xform "part" {\ndef Xform "inner" (kind = "component") { } # R1.2.2.3\n}',
				'defaultPrim = "part"',
			),
		});
	});

	it('of what holds models are groups all the way up', () => {
		expectMarked(rules, asset('group', `def Xform "x" {# R1.2.2.4\n${child('component')}\n}`));
		expectMarked(rules, asset('group', `def Xform "x" (kind = "subcomponent") {# R1.2.2.4\n${child('component')}\n}`));
		expectMarked(rules, asset('group', child('assembly', '', child('component'))));
		expectMarked(rules, asset('group', child('component', '', `def Xform "x" {\n${child('group', '# R1.2.2.3')}\n}`)));
	});

	it('of Xforms that group links may be subcomponent', () => {
		const link = `def Xform "link" (${BODY}) { }`;
		expectMarked(rules, asset('component', `def Xform "x" {# R1.2.2.3:info\n${link}\n}\ndef Xform "y" {\n${link}\n}`));
		expectMarked(rules, asset('component', `def Xform "x" (kind = "subcomponent") {\n${link}\n}`));
		expectMarked(rules, asset('component', `def Scope "x" {\n${link}\n}`));
		expectMarked(rules, asset('component', `def Xform "x" (prepend apiSchemas = ["RosFrameAPI"]) {\n${link}\n}`));
		expectMarked(rules, asset('component', 'def Xform "x" { def Cube "shape" { }\n}'));
		expectMarked(rules, asset('component', `def Xform "base" (${BODY}) { def Xform "x" {\n${link}\n}\n}`));
		expectMarked(rules, asset('group', `def Xform "x" {\n${link}\n}`, ' # R1.2.2.1:warning'));
	});
});

describe('arcs', () => {
	it('to classes stay within the asset where physics or ROS is concerned', () => {
		const rule = ' # R1.2.3.2';
		const simulated = (schema: string, arc: string, mark = ''): string =>
			`def Xform "${schema}${arc.length}" (\n\tprepend apiSchemas = ["${schema}"]\n\t${arc}${mark}\n) { }`;
		expectMarked(
			['R1.2.3.2'],
			`def Xform "robot" {
	${simulated('PhysicsRigidBodyAPI', 'inherits = </elsewhere>', rule)}
	${simulated('PhysicsMassAPI', 'prepend specializes = </elsewhere>', rule)}
	${simulated('ExtendedPhysicsActuatorAPI', 'append inherits = </elsewhere>', rule)}
	${simulated('RosFrameAPI', 'add inherits = </elsewhere>', rule)}
	${simulated('PhysicsRigidBodyAPI', 'prepend inherits = </own>')}
	${simulated('PhysicsRigidBodyAPI', 'delete inherits = </missing>')}
	${simulated('MaterialBindingAPI', 'inherits = </elsewhere>')}
	def PhysicsFixedJoint "joint" (
		inherits = </elsewhere> # R1.2.3.2
	) { }
	def Xform "plain" (inherits = </elsewhere>) { }
}
class "own" { }`,
		);
	});

	it('by payload hide no links, joints or articulation roots', () => {
		const asset = (content: string, arc = 'payload', outside = ''): Record<string, string> => ({
			'robot.usda': layerOf(`def Xform "robot" {\ndef Xform "part" (${arc} = @./part.usda@) {\n${outside}\n}\n}`),
			'part.usda': layerOf(`def Xform "part" {\n${content}\n}`, 'defaultPrim = "part"'),
		});
		const rule = ['R1.2.3.6'];
		const body = `def Xform "link" (${BODY}) { }`;
		const joint = 'def PhysicsRevoluteJoint "joint" { }';
		const root = 'def Xform "root" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) { }';
		for (const part of [body, joint, root]) {
			expectMarked(rule, asset(`${part} # R1.2.3.6`));
			expectMarked(rule, asset(part, 'references'));
		}
		// one finding for all of a payload
		expectMarked(rule, asset(`${body} # R1.2.3.6\n${joint}\n${root}`));
		expectMarked(rule, asset('def Cube "shape" { }'));
		expectMarked(rule, asset(body, 'payload', body));
		expectMarked(rule, asset(`${body} # R1.2.3.6`, 'payload', 'over "link" { }'));
		expectMarked(rule, asset(`${body} # R1.2.3.6`, 'payload', 'def Xform "link" { }'));
		// a root that is a link or joint is told once
		expectMarked(
			rule,
			asset(
				'def Xform "base" (prepend apiSchemas = ["PhysicsRigidBodyAPI", "PhysicsArticulationRootAPI"]) { } # R1.2.3.6',
			),
		);
		expectMarked(rule, asset(body), { payloadPolicy: 'entry' }, ['part.usda:10 R1.2.3.6']);
		expectMarked(
			rule,
			{
				'robot.usda': layerOf('def Xform "robot" (payload = @./part.usda@) { }'),
				'part.usda': layerOf(`def Xform "part" {\n${body}\n}`, 'defaultPrim = "part"'),
			},
			{ payloadPolicy: 'entry' },
		);
	});

	it('by payload bring geometry and materials', () => {
		const asset = (content: string, outside = ''): Record<string, string> => ({
			'robot.usda': layerOf(`def Xform "robot" {\ndef Xform "part" (payload = @./part.usda@) {\n${outside}\n}\n}`),
			'part.usda': layerOf(`def Xform "part" {\n${content}\n}`, 'defaultPrim = "part"'),
		});
		const rule = ['R1.2.3.7'];
		for (const type of [
			'Camera',
			'SphereLight',
			'DomeLight',
			'PhysicsScene',
			'PhysicsCollisionGroup',
			'OmniGraph',
			'NewtonActuator',
		])
			expectMarked(rule, asset(`def ${type} "x" { } # R1.2.3.7`));
		for (const type of ['', 'Xform ', 'Scope ', 'Mesh ', 'Material ', 'PhysicsFixedJoint '])
			expectMarked(rule, asset(`def ${type}"x" { }`));
		expectMarked(rule, asset('def Mesh "x" (prepend apiSchemas = ["MeshLightAPI"]) { } # R1.2.3.7'));
		expectMarked(rule, asset('def Mesh "x" { }', 'over "x" (prepend apiSchemas = ["MeshLightAPI"]) { }'));
		expectMarked(rule, asset('def Volume "x" { }', 'over "x" (prepend apiSchemas = ["VolumeLightAPI"]) { }'));
		expectMarked(rule, asset('def Camera "x" { }', 'def Camera "x" { }'));
		expectMarked(rule, 'def Xform "robot" { def Camera "x" { }\n}');
	});
});

describe('variants', () => {
	it('have a selection that exists', () => {
		const prim = (selection: string, setMark = ''): string => `def Xform "robot" (
	${selection}
	prepend variantSets = "tool"${setMark}
) {
	variantSet "tool" = {
		"a" { }
		"b" { }
	}
}`;
		expectMarked(['R1.2.4.1'], prim('variants = { string tool = "b" }'));
		expectMarked(['R1.2.4.1'], prim('', ' # R1.2.4.1'));
		expectMarked(['R1.2.4.1'], prim('variants = { string tool = "" }', ' # R1.2.4.1'));
		expectMarked(['R1.2.4.1'], prim('variants = {\nstring tool = "c" # R1.2.4.1\n}'));
	});

	it('and arcs lead to what is there', () => {
		expectMarked(['R1.2.4.2'], {
			'robot.usda': layerOf(
				`def Xform "robot" {
	def Xform "a" (
		references = @./missing.usda@ # R1.2.4.2
	) { }
	def Xform "b" (
		payload = @./missing.usda@ # R1.2.4.2
	) { }
	def Xform "c" (
		references = @./part.usda@</nowhere> # R1.2.4.2
	) { }
	def Xform "d" (
		payload = @./part.usda@</nowhere> # R1.2.4.2
	) { }
	def Xform "e" (
		references = </nowhere> # R1.2.4.2
	) { }
	def Xform "f" (references = @./part.usda@) { }
	asset near = @./missing.png@ # R1.2.4.2
	asset far = @../missing.png@ # R1.2.4.2
	asset here = @./part.usda@
	asset searched = @missing.png@
	asset tiles = @./tile.<UDIM>.png@
	asset pattern = @./{a}.png@
	asset empty = @@
	asset address = @package://robot/missing.png@
}`,
				'defaultPrim = "robot"\n\tsubLayers = [\n\t\t@./part.usda@,\n\t\t@./gone.usda@ # R1.2.4.2\n\t]',
			),
			'part.usda': layerOf('def Xform "part" { }', 'defaultPrim = "part"'),
		});
	});

	it('leave links with something to show and to collide with', () => {
		const link = (name: string, content: string, mark = '', schemas = '"PhysicsRigidBodyAPI"'): string =>
			`def Xform "${name}" (prepend apiSchemas = [${schemas}]) {${mark}\n${content}\n}\ndef PhysicsFixedJoint "${name}_joint" { rel physics:body1 = </robot/${name}> }`;
		const visual = 'def Cube "visual" { }';
		const collider =
			'def Cube "collider" (prepend apiSchemas = ["PhysicsCollisionAPI"]) { uniform token purpose = "guide" }';
		expectMarked(
			['R1.2.4.2'],
			`def Xform "robot" {
	${link('both', `${visual}\n${collider}`)}
	${link('neither', '')}
	${link('seen', visual, '# R1.2.4.2:warning')}
	${link('felt', collider, '# R1.2.4.2:warning')}
	${link('frame', visual, '', '"PhysicsRigidBodyAPI", "RosFrameAPI"')}
	def Xform "parent" (${BODY}) {# R1.2.4.2:warning
		${visual}
	}
	def PhysicsFixedJoint "back" { rel physics:body0 = </robot/parent> }
	def Xform "loose" (${BODY}) {
		${visual}
	}
}`,
		);
	});
});

describe('asset management', () => {
	const asset = (info: string, rest = ''): string => `def Xform "robot" (\n\t${info}\n) {\n${rest}\n}`;

	it('names a default prim that is there', () => {
		const rule = ['R1.2.5.1'];
		expectMarked(rule, 'def Xform "robot" { }');
		expectMarked(rule, { 'robot.usda': layerOf('def Xform "robot" { }', 'doc = ""') }, {}, ['robot.usda:1 R1.2.5.1']);
		expectMarked(rule, { 'robot.usda': layerOf('def Xform "robot" { }', 'defaultPrim = "other" # R1.2.5.1') });
		expectMarked(rule, { 'robot.usda': layerOf('over "robot" { }', 'defaultPrim = "robot" # R1.2.5.1') });
		expectMarked(rule, { 'robot.usda': layerOf('def Xform "robot" { }', 'defaultPrim = ""') }, {}, [
			'robot.usda:1 R1.2.5.1',
		]);
	});

	it('has an identifier, a version and an origin', () => {
		const rules = ['R1.2.5.2', 'R1.2.5.3', 'R1.2.5.4'];
		const mark = '# R1.2.5.2 R1.2.5.3 R1.2.5.4:info';
		const ros = 'dictionary ros = { string package_uri = "package://a" }';
		const info = (text: string, marks = ''): string => asset(`assetInfo = { ${marks}\n${text}\n}`);
		expectMarked(rules, info(`string identifier = "a"\nstring version = "1"\n${ros}`));
		expectMarked(rules, info('string other = ""', mark));
		expectMarked(rules, `def Xform "robot" { } ${mark}`);
		expectMarked(rules, info(`string identifier = ""\nstring version = " "\n${ros}`, '# R1.2.5.2 R1.2.5.3'));
		expectMarked(rules, info(`string identifier = " "\nstring version = ""\n${ros}`, '# R1.2.5.2 R1.2.5.3'));
		expectMarked(rules, info(`int identifier = 1\nint version = 1\n${ros}`, '# R1.2.5.2 R1.2.5.3'));
		expectMarked(rules, info(`asset identifier = @./a.usda@\nstring version = "1"\n${ros}`, '# R1.2.5.2:info'));
		expectMarked(rules, info(`asset identifier = @@\nstring version = "1"\n${ros}`, '# R1.2.5.2'));
		expectMarked(['R1.2.5.4'], asset('assetInfo = { # R1.2.5.4:info\ndictionary ros = {\n}\n}'));
	});

	it('asks robots and what converters made for their origin', () => {
		const rule = ['R1.2.5.4'];
		expectMarked(
			rule,
			asset(
				'assetInfo = { # R1.2.5.4\nstring version = "1"\n}',
				'def Xform "frame" (prepend apiSchemas = ["RosFrameAPI"]) { }',
			),
		);
		const made = (creator: string, severity: string): Record<string, string> => ({
			'robot.usda': layerOf(
				asset(`assetInfo = { # R1.2.5.4${severity}\nstring version = "1"\n}`),
				`defaultPrim = "robot"\ncustomLayerData = { string creator = "${creator}" }`,
			),
		});
		for (const creator of ['urdf-usd-converter 0.1', 'MJCF importer', 'mujoco_usd', 'sdf2usd'])
			expectMarked(rule, made(creator, ''));
		expectMarked(rule, made('Blender', ':info'));
	});

	it('refers to files by anchored paths inside of the folder', () => {
		const root = `def Xform "robot" {
	asset a = @./here.png@
	asset b = @here.png@ # R1.2.5.5
	asset c = @textures/here.png@ # R1.2.5.5
	asset d = @../outside.png@ # R1.2.5.6
	asset e = @../robot_tools/model.usda@ # R1.2.5.7
	asset f = @$(find robot_tools)/model.usda@ # R1.2.5.7
	asset g = @$(find-pkg-share robot_tools)/model.usda@ # R1.2.5.7
	asset h = @package://robot_tools/model.usda@
	asset i = @https://example.org/model.usda@ # R1.2.5.8
	asset j = @file:///model.usda@ # R1.2.5.8
	asset k = @/model.usda@ # R1.2.5.8
	asset l = @~/model.usda@ # R1.2.5.8
	asset m = @C:/model.usda@ # R1.2.5.8
	asset n = @@
	asset o = @./deep/../here.png@
	asset p = @../robot/here.png@
	asset q = @PACKAGE://robot_tools/model.usda@
	asset r = @.\\here.png@
}`;
		expectMarked(['R1.2.5.5', 'R1.2.5.6', 'R1.2.5.7', 'R1.2.5.8'], {
			'robot/robot.usda': layerOf(root),
			'robot_tools/package.xml': '<package/>',
			'robot_tools/model.usda': layerOf('def Xform "model" { }'),
		});
		// within one package, leaving the folder of the asset is all
		expectMarked(['R1.2.5.6', 'R1.2.5.7'], {
			'robot/robot.usda': layerOf('def Xform "robot" {\nasset d = @../outside.png@ # R1.2.5.6\n}'),
			'package.xml': '<package/>',
		});
	});

	it('does not load assets by attributes', () => {
		expectMarked(
			['R1.2.5.10'],
			`def Xform "robot" {
	custom string note = "./part.usda" # R1.2.5.10:warning
	custom token kindOf = "a.urdf" # R1.2.5.10:warning
	custom asset file = @./a.xacro@ # R1.2.5.10:warning
	custom string usdPath = "part" # R1.2.5.10
	custom string prefab = "part" # R1.2.5.10
	custom string my:spawnable = "part" # R1.2.5.10
	custom string robot_uri = "part" # R1.2.5.10
	custom string empty_usd_path = ""
	custom string sentence = "see part.usda"
	custom string other = "part.png"
	custom string query = "a.glb?v=1" # R1.2.5.10:warning
	custom string info:source = "part.usda"
	custom string inputs:source = "part.usda"
	custom string outputs:source = "part.usda"
	custom string ros:source = "part.usda"
	custom string[] list = ["part.usda"]
	custom float usd_path = 1
	def SphereLight "light" { asset inputs:shaping:ies:file = @./a.usd@ }
	def Xform "override" (references = </robot/weak>) { custom string note = "nothing" }
	def Xform "weak" {
		custom string note = "./part.usda" # R1.2.5.10:warning
	}
}`,
		);
		for (const extension of [
			'usd',
			'usda',
			'usdc',
			'usdz',
			'urdf',
			'xacro',
			'sdf',
			'world',
			'mjcf',
			'xml',
			'prefab',
			'glb',
			'gltf',
		])
			expectMarked(['R1.2.5.10'], `def Xform "robot" {\ncustom string x = "a.${extension}" # R1.2.5.10:warning\n}`);
	});
});

describe('instances', () => {
	const part = (content: string): Record<string, string> => ({
		'part.usda': layerOf(`def Xform "part" {\n${content}\n}`, 'defaultPrim = "part"'),
	});

	it('hold no bodies, joints or articulation roots', () => {
		const asset = (content: string, mark: string): Record<string, string> => ({
			'robot.usda': layerOf(
				`def Xform "robot" {\ndef Xform "a" (\nreferences = @./part.usda@\ninstanceable = true${mark}\n) { }\n}`,
			),
			...part(content),
		});
		const mark = ' # R1.2.6.1';
		expectMarked(['R1.2.6.1'], asset(`def Xform "link" (${BODY}) { }`, mark));
		expectMarked(['R1.2.6.1'], asset('def PhysicsFixedJoint "joint" { }', mark));
		expectMarked(['R1.2.6.1'], asset('def Xform "x" (prepend apiSchemas = ["PhysicsArticulationRootAPI"]) { }', mark));
		expectMarked(['R1.2.6.1'], asset('def Cube "shape" (prepend apiSchemas = ["PhysicsCollisionAPI"]) { }', ''));
	});

	it('of points repeat no bodies', () => {
		expectMarked(
			['R1.2.6.1'],
			`def Xform "robot" {
	def PointInstancer "points" {
		rel prototypes = [
			</robot/points/good>,
			</robot/points/bad>, # R1.2.6.1
			</robot/points/worse>, # R1.2.6.1
			</robot/points/missing>
		]
		def Cube "good" { }
		def Xform "bad" (${BODY}) { }
		def Xform "worse" { def Cube "a" { }
def Xform "b" { def PhysicsFixedJoint "c" { }
}
}
	}
}`,
		);
	});

	const grid = (places: readonly (readonly [number, number])[], mark: string, target = '@./part.usda@'): string =>
		`def Xform "robot" {\n${places
			.map(
				([x, y], i) =>
					`def Xform "r${i}" (\nreferences = ${target}${i === 0 ? mark : ''}\n) { double3 xformOp:translate = (${x}, ${y}, 0); uniform token[] xformOpOrder = ["xformOp:translate"] }`,
			)
			.join('\n')}\n}`;
	const ARM = part(`def Xform "link" (${BODY}) { }\ndef PhysicsFixedJoint "joint" { }`);
	const mark = ' # R1.2.6.3';
	const row = (count: number, step = 1): [number, number][] =>
		Array.from({ length: count }, (_, i) => [i * step, 0] as [number, number]);

	it.each([
		['a row of four', row(4), true],
		['a row of three', row(3), false],
		['a column', row(4).map(([x, y]) => [y, x] as [number, number]), true],
		[
			'two by two',
			[
				[0, 0],
				[0, 2],
				[3, 0],
				[3, 2],
			] as [number, number][],
			true,
		],
		['one place', Array.from({ length: 4 }, () => [1, 1] as [number, number]), false],
		[
			'no order',
			[
				[0, 0],
				[1, 0.3],
				[1.7, 2.2],
				[5, 0.9],
			] as [number, number][],
			false,
		],
		[
			'uneven distances',
			[
				[0, 0],
				[1, 0],
				[3, 0],
				[7, 0],
			] as [number, number][],
			false,
		],
		[
			'a gap',
			[
				[0, 0],
				[1, 0],
				[2, 0],
				[4, 0],
			] as [number, number][],
			false,
		],
		['a quarter beside the grid', [...row(6), [2.37, 1.3], [4.81, 2.9]] as [number, number][], true],
		['more than a quarter beside the grid', [...row(5), [2.37, 1.3], [4.81, 2.9]] as [number, number][], false],
		['a line with one beside it', [...row(4, 0.5), [1, 0.77]] as [number, number][], true],
		['many', row(40), true],
	])('in %s may be a grid of clones', (_, places, isGrid) => {
		expectMarked(['R1.2.6.3'], { 'robot.usda': layerOf(grid(places, isGrid ? mark : '')), ...ARM });
	});

	it('in a grid are clones only if they are articulated and one asset', () => {
		expectMarked(['R1.2.6.3'], {
			'robot.usda': layerOf(grid(row(4), '')),
			...part(`def Xform "link" (${BODY}) { }`),
		});
		expectMarked(['R1.2.6.3'], {
			'robot.usda': layerOf(grid(row(4), '').replace('@./part.usda@', '@./other.usda@')),
			...ARM,
			'other.usda': layerOf('def Xform "part" { def PhysicsFixedJoint "joint" { }\n}', 'defaultPrim = "part"'),
		});
	});

	it('of environments with bodies are told once', () => {
		const env = (name: string, mark = '', content = `def Xform "link" (${BODY}) { }`): string =>
			`def Xform "${name}" {${mark}\n${content}\n}`;
		const rule = ['R1.2.6.2'];
		const twice = '# R1.2.6.2';
		expectMarked(rule, `def Xform "robot" {\n${env('env_0')}\n${env('env_1', twice)}\n${env('env_2')}\n}`);
		expectMarked(rule, `def Xform "robot" {\n${env('Environment1')}\n${env('environment_2', twice)}\n}`);
		expectMarked(rule, `def Xform "robot" {\n${env('my_envs1')}\n${env('my_envs2', twice)}\n}`);
		expectMarked(rule, `def Xform "robot" {\n${env('env_0')}\n}`);
		expectMarked(rule, `def Xform "robot" {\n${env('env_0')}\n${env('room_1')}\n}`);
		expectMarked(rule, `def Xform "robot" {\n${env('env_0')}\n${env('env_1', '', 'def Cube "a" { }')}\n}`);
		expectMarked(
			rule,
			`def Xform "robot" { def Xform "a" {\n${env('env_0')}\n}\ndef Xform "b" {\n${env('env_1')}\n}\n}`,
		);
		expectMarked(
			rule,
			`def Xform "robot" {\n${env('env_0', '', 'def PhysicsFixedJoint "a" { }')}\n${env('env_1', twice)}\n}`,
		);
	});
});
