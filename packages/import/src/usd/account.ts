import { Attribute, type Prim } from '@manyworlds/usd';
import { isUsualPrim, traverse } from '@manyworlds/usd/internal';
import type { Ledger, LedgerSite } from '../ledger.ts';
import type { ImportContext, PrimRole } from './context.ts';
import { plainValue, showValue } from './plain-value.ts';

/** Enters every attribute that layers author at or below a prim, below instances too. */
export function authorAttributes(ctx: ImportContext, root: Prim): void {
	enterPrim(ctx, root);
	for (const prim of traverse(root, { instanceProxies: true, predicate: isUsualPrim })) enterPrim(ctx, prim);
}

/** Says what became of attributes that no part of the import spoke for, by what their prims became. */
export function accountForAttributes(ctx: ImportContext): void {
	const carriers = transformCarriers(ctx);
	let prim: Prim | undefined;
	for (const [path, name] of ctx.authored) {
		if (ctx.ledger.classOf(path, name) !== 'ignored') continue;
		if (prim?.path.toString() !== path) prim = ctx.stage.prim(path)!;
		account(ctx, prim, path, name, carriers);
	}
}

function enterPrim(ctx: ImportContext, prim: Prim): void {
	if (prim.isPseudoRoot) return;
	const path = prim.path.toString();
	for (const name of prim.authoredPropertyNames()) {
		const property = prim.property(name);
		if (!(property instanceof Attribute)) continue;
		ctx.authored.push([path, name]);
		ctx.ledger.author(path, name, siteOf(ctx, property));
	}
}

function siteOf(ctx: ImportContext, attribute: Attribute): LedgerSite {
	const spec = attribute.strongestSpec();
	const place = spec && (ctx.places?.specRange(spec.layer, spec.path) ?? { file: spec.layer.identifier });
	const value = shownValue(attribute);
	return value === undefined ? { ...place } : { ...place, value };
}

/** The value as text; arrays stay unread, as most are long and may have to be decoded. */
function shownValue(attribute: Attribute): string | undefined {
	const { typeName } = attribute;
	if (typeName.endsWith('[]')) return typeName;
	const value = attribute.get();
	return value === undefined ? undefined : showValue(plainValue(value));
}

/** Prims whose transform places something that was imported: those and everything above them. */
function transformCarriers(ctx: ImportContext): ReadonlySet<string> {
	const carriers = new Set<string>();
	for (const [path, roles] of ctx.roles) {
		if (!['body', 'collider', 'visual', 'site', 'articulation'].some((role) => roles.has(role as PrimRole))) continue;
		for (let at = path; at !== '' && !carriers.has(at); at = at.slice(0, at.lastIndexOf('/'))) carriers.add(at);
	}
	return carriers;
}

/** What a kind of prim does with attributes of some names. */
type Rule = { readonly role: PrimRole; readonly names: RegExp } & (
	| {
			/** Array of the model that the value is in. */
			readonly target: string;
			/** Units or meanings on both sides of a conversion. */
			readonly conversion?: readonly [from: string, to: string];
	  }
	| {
			/** Why the value has no effect. */
			readonly ignored: string;
	  }
);

const GEOMETRY = /^(size|radius|height|axis|width|length|points|faceVertexCounts|faceVertexIndices|orientation)$/;
const LOOKS =
	/^(primvars:displayColor|primvars:displayOpacity|primvars:displayColor:indices|primvars:displayOpacity:indices|visibility|purpose)$/;

const RULES: readonly Rule[] = [
	{
		role: 'scene',
		names: /^physics:gravity(Direction|Magnitude)$/,
		target: 'gravity',
		conversion: ['space and unit of the stage', 'm/s² in the space of the model'],
	},
	{
		role: 'body',
		names: /^physics:velocity$/,
		target: 'body_qd',
		conversion: ['axes of the body', 'axes of the world'],
	},
	{
		role: 'body',
		names: /^physics:angularVelocity$/,
		target: 'body_qd',
		conversion: ['degrees per second in axes of the body', 'radians per second in axes of the world'],
	},
	{ role: 'body', names: /^physics:(rigidBodyEnabled|kinematicEnabled)$/, target: 'body_flags' },
	{ role: 'body', names: /^physics:startsAsleep$/, ignored: 'models have no sleeping bodies' },
	{ role: 'body', names: /^physics:principalAxes$/, target: 'body_inertia' },
	{ role: 'body', names: /^physics:density$/, target: 'body_mass' },
	{
		role: 'collider',
		names: /^physics:(mass|density|diagonalInertia|principalAxes|centerOfMass)$/,
		target: 'body_mass',
	},
	{ role: 'collider', names: /^physics:collisionEnabled$/, target: 'shape_flags' },
	{ role: 'collider', names: /^physics:approximation$/, target: 'shape_type' },
	...(['collider', 'visual', 'site'] as const).flatMap((role): Rule[] => [
		{ role, names: GEOMETRY, target: 'shape_scale' },
		{ role, names: LOOKS, target: 'shape_color' },
		{ role, names: /^extent$/, ignored: 'bounds are computed from the geometry' },
		{
			role,
			names:
				/^(subdivisionScheme|interpolateBoundary|faceVaryingLinearInterpolation|triangleSubdivisionRule|corner.*|crease.*|holeIndices)$/,
			ignored: 'surfaces are imported as polygons, without subdivision',
		},
		{
			role,
			names: /^(doubleSided|normals|velocities|accelerations|primvars:.*)$/,
			ignored: 'it is for rendering only',
		},
	]),
	{ role: 'material', names: /^physics:(dynamicFriction|restitution|density)$/, target: 'shape_material_mu' },
	{
		role: 'material',
		names: /^physics:staticFriction$/,
		ignored: 'models have one coefficient of friction, the dynamic one',
	},
	{ role: 'joint', names: /^physics:axis$/, target: 'joint_axis' },
	{ role: 'joint', names: /^physics:local(Pos|Rot)[01]$/, target: 'joint_X_p' },
	{
		role: 'joint',
		names: /^physics:(jointEnabled|collisionEnabled|excludeFromArticulation)$/,
		target: 'joint_enabled',
	},
	{ role: 'joint', names: /^physics:(minDistance|maxDistance)$/, target: 'joint_limit_lower' },
	{ role: 'joint', names: /^physics:break(Force|Torque)$/, ignored: 'joints of models do not break' },
	{ role: 'joint', names: /^physics:coneAngle[01]Limit$/, ignored: 'ball joints of models have no limits' },
	{ role: 'joint', names: /^limit:trans[XYZ]:physics:(low|high)$/, target: 'joint_limit_lower' },
	{
		role: 'joint',
		names: /^limit:rot[XYZ]:physics:(low|high)$/,
		target: 'joint_limit_lower',
		conversion: ['degrees', 'radians'],
	},
	{ role: 'group', names: /^(collection:|physics:(invertFilteredGroups|mergeGroup)$)/, target: 'filter_pairs' },
	{ role: 'articulation', names: /^physics:/, target: 'articulation' },
];

/** Parts of shading networks that give shapes their looks. */
const SHADING =
	/^(info:id|inputs:(diffuse_color_constant|diffuse_color|diffuseColor|base_color|baseColor|displayColor|opacity|alpha|opacity_constant|alpha_constant|metallic|metallic_constant|roughness|roughness_constant|reflection_roughness_constant|file|st|varname|scale|rotation|translation|in|sourceColorSpace|uv_space_index|diffuse_texture)|outputs:.*)$/;

function account(ctx: ImportContext, prim: Prim, path: string, name: string, carriers: ReadonlySet<string>): void {
	const { ledger } = ctx;
	const roles = ctx.roles.get(path);
	if (name === 'xformOpOrder' || name.startsWith('xformOp:')) {
		if (carriers.has(path))
			ledger.convert(path, name, { from: 'transform of the prim', to: 'poses of what is placed by it' });
		else ledger.ignore(path, name, 'nothing at or below this prim is imported');
		return;
	}
	if ((name === 'visibility' || name === 'purpose') && carriers.has(path)) {
		ledger.use(path, name, { target: 'shape_flags', note: 'holds for what is below as well' });
		return;
	}
	if (roles?.has('joint') === true && accountForJoint(ctx, prim, path, name)) return;
	const rule = roles === undefined ? undefined : RULES.find(({ role, names }) => roles.has(role) && names.test(name));
	const keeper = [...ctx.resolvers.collected].find(([, prims]) => prims.get(path)?.has(name));
	if (rule !== undefined) applyRule(ledger, path, name, rule);
	else if (keeper !== undefined)
		ledger.keep(path, name, { resolver: keeper[0], note: 'among the collected attributes' });
	else if (isShading(ctx, prim, path, name)) ledger.use(path, name, { target: 'shape_color' });
	else ledger.ignore(path, name, reasonFor(ctx, prim, path, name));
}

function applyRule(ledger: Ledger, path: string, name: string, rule: Rule): void {
	if ('ignored' in rule) {
		ledger.ignore(path, name, rule.ignored);
		return;
	}
	const { target, conversion } = rule;
	if (conversion === undefined) ledger.use(path, name, { target });
	else ledger.convert(path, name, { target, from: conversion[0], to: conversion[1] });
}

/** Limits and drives of joints, whose units depend on the kind. */
function accountForJoint(ctx: ImportContext, prim: Prim, path: string, name: string): boolean {
	const { ledger } = ctx;
	const joint = ctx.jointsByPath.get(path);
	const isRevolute = joint?.kind === 'RevoluteJoint';
	if (/^physics:(lower|upper)Limit$/.test(name)) {
		const target = name === 'physics:lowerLimit' ? 'joint_limit_lower' : 'joint_limit_upper';
		if (isRevolute) ledger.convert(path, name, { target, from: 'degrees', to: 'radians' });
		else ledger.use(path, name, { target });
		return true;
	}
	const drive = /^drive:([a-zA-Z]+):physics:(\w+)$/.exec(name);
	if (drive === null) return false;
	const [, axis, part] = drive as unknown as [string, string, string];
	if (!prim.hasSchema(`PhysicsDriveAPI:${axis}`)) {
		ledger.ignore(path, name, `PhysicsDriveAPI:${axis} is not applied, so there is no drive`);
		return true;
	}
	if (part === 'type') {
		const isForce = prim.attribute(name).get()?.data !== 'acceleration';
		if (isForce) ledger.use(path, name, { target: 'joint_target_mode' });
		else ledger.ignore(path, name, 'drives of models give forces, not accelerations');
		return true;
	}
	const target = DRIVE_TARGETS[part];
	if (target === undefined) return false;
	const isAngular = axis === 'angular' || axis.startsWith('rot');
	if (part === 'maxForce' || !isAngular) ledger.use(path, name, { target });
	else if (part.startsWith('target')) ledger.convert(path, name, { target, from: 'degrees', to: 'radians' });
	else ledger.convert(path, name, { target, from: 'per degree', to: 'per radian' });
	return true;
}

const DRIVE_TARGETS: Readonly<Record<string, string>> = {
	targetPosition: 'joint_target_q',
	targetVelocity: 'joint_target_qd',
	stiffness: 'joint_target_ke',
	damping: 'joint_target_kd',
	maxForce: 'joint_effort_limit',
};

/** Whether an attribute is part of the network of a material that shapes show. */
function isShading(ctx: ImportContext, prim: Prim, path: string, name: string): boolean {
	if (!SHADING.test(name) || !(prim.isA('Shader') || prim.isA('Material') || prim.isA('NodeGraph'))) return false;
	for (let at = path; at !== ''; at = at.slice(0, at.lastIndexOf('/'))) if (ctx.seenMaterials.has(at)) return true;
	return false;
}

/** Solvers whose attributes are read on demand, by the beginning of the names. */
const SOLVERS: readonly (readonly [RegExp, string])[] = [
	[/^(physx\w*|state|drive):/, 'physx'],
	[/^mjc:/, 'mjc'],
	[/^ext_physics:/, 'ext_physics'],
];

function reasonFor(ctx: ImportContext, prim: Prim, path: string, name: string): string {
	const roles = ctx.roles.get(path);
	if (roles?.has('row') === true && name.startsWith('mjc:')) return 'no mujoco attribute takes it';
	if (ctx.isIgnored(path)) return 'the prim is left out by ignorePaths, or deforms';
	const solver = SOLVERS.find(([names]) => names.test(name))?.[1];
	if (solver !== undefined && !ctx.resolvers.resolvers.some((resolver) => resolver.name === solver)) {
		return `no schema resolver '${solver}' takes part in the import`;
	}
	if (name.startsWith('newton:'))
		return 'no custom attribute of this name is declared on the physics scene, and no resolver reads it here';
	if (/^ros\w*:/.test(name)) return 'it is about the ROS interface, not about the model';
	if (prim.isA('GeomSubset')) return 'subsets count for the looks of visual meshes only';
	if (prim.isA('Shader') || prim.isA('Material')) return 'it is for rendering only';
	if (roles === undefined) {
		if (prim.isA('PhysicsJoint')) return 'the joint is not imported';
		if (prim.isA('Gprim')) return 'the geometry is not imported';
		if (prim.typeName !== '' && !prim.isA('Xform') && !prim.isA('Scope'))
			return `prims of type ${prim.typeName} are not imported`;
	}
	return 'nothing in a model holds it';
}
