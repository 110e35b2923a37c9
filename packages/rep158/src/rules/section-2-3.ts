import { quote } from '@manyworlds/core';
import { type Prim, type SchemaRegistry, SpecType, T } from '@manyworlds/usd';
import { dataOf, declaredAttribute, INTERFACE_SCHEMAS, type RosInterface } from '@manyworlds/usd/internal';
import type { CheckContext } from '../context/check-context.ts';
import { RosView } from '../context/ros-view.ts';
import type { Reporter } from '../reporter.ts';
import { interfaceTypeFault, MAX_ROS_NAME_LENGTH, parseInterfaceType, rosNameFault } from '../ros/ros-names.ts';
import type { Statement } from './statement.ts';

/** REP 2.3: names and types of interfaces. */
export const SECTION_2_3: readonly Statement[] = [
	{ id: 'R2.3.1', section: '2.3', level: 'tool', check: 'static', visit: checkTypes },
	{
		id: 'R2.3.2',
		section: '2.3',
		level: 'tool',
		check: 'behaviour',
		heldBy: 'packages/rep158/test/rules/section-2.test.ts',
	},
	{
		id: 'R2.3.3',
		section: '2.3',
		level: 'must',
		check: 'static',
		visit: checkNames,
	},
	{
		id: 'R2.3.4',
		section: '2.3',
		level: 'must',
		check: 'static',
		visit: checkStartsEnabled,
	},
	{
		id: 'R2.3.5',
		section: '2.3',
		level: 'must',
		check: 'static',
		visit: checkTypeForms,
	},
	{
		id: 'R2.3.6',
		section: '2.3',
		level: 'must',
		check: 'static',
		visit: checkAttributes,
	},
	{ id: 'R2.3.7', section: '2.3', level: 'must', check: 'static', visit: checkConflicts },
];

function checkTypes(context: CheckContext, report: Reporter): void {
	const { interfaces, types } = RosView.of(context);
	for (const { prim, schema, type } of interfaces) {
		if (type === undefined || interfaceTypeFault(type, schema.kind) !== undefined) continue;
		if (types.find(type) !== undefined) continue;
		const { packageName } = parseInterfaceType(type)!;
		const known = types.hasPackage(packageName)
			? `the package has no such ${schema.kind}`
			: 'nobody defines the package';
		const nearest = types.nearest(type);
		const advice =
			nearest === undefined
				? 'give the folder of its interface files if it is your own'
				: `did you mean ${quote(nearest)}?`;
		const message = `the type ${quote(type)} is unknown, ${known}: simulators will disable the ${schema.noun}; ${advice}`;
		report.add(context.at(prim.attribute(`${schema.prefix}:type`)), message);
	}
}

function checkNames(context: CheckContext, report: Reporter): void {
	for (const { prim, schema, name, resolvedName } of RosView.of(context).interfaces) {
		if (name === undefined || name === '' || resolvedName === undefined) continue;
		const attribute = `${schema.prefix}:name`;
		const place = context.at(prim.attribute(attribute));
		const fault = rosNameFault(name);
		if (fault !== undefined) {
			const expected = 'letters, digits, underscores and slashes, no part starting with a digit';
			report.add(place, `${attribute} ${quote(name)} ${fault}, expected ${expected}`);
		} else if (resolvedName.length > MAX_ROS_NAME_LENGTH) {
			const message = `the name in full has ${resolvedName.length} characters, expected at most ${MAX_ROS_NAME_LENGTH}`;
			report.add(place, message);
		}
	}
}

function checkStartsEnabled(context: CheckContext, report: Reporter): void {
	for (const { prim, schema } of RosView.of(context).interfaces) {
		const name = `${schema.prefix}:starts_enabled`;
		const fault = boolFault(prim, name);
		if (fault !== undefined) report.add(context.at(prim.attribute(name)), `${name} ${fault}`);
	}
}

/** What is wrong with an attribute that is to be a bool; undefined when nothing is, or nobody wrote it. */
export function boolFault(prim: Prim, name: string): string | undefined {
	const declared = declaredAttribute(prim, name);
	if (declared === undefined) return undefined;
	const isBool =
		declared.typeName === 'bool' && (declared.value === undefined || dataOf(declared.value, T.bool) !== undefined);
	return isBool ? undefined : `is a ${declared.typeName}, expected a bool`;
}

function checkTypeForms(context: CheckContext, report: Reporter): void {
	for (const { prim, schema, type } of RosView.of(context).interfaces) {
		if (type === undefined || type === '') continue;
		const fault = interfaceTypeFault(type, schema.kind);
		if (fault === undefined) continue;
		const name = `${schema.prefix}:type`;
		const expected = `package/${schema.kind}/Name`;
		report.add(context.at(prim.attribute(name)), `${name} ${quote(type)} ${fault}, expected ${expected}`);
	}
}

/** Attributes whose types other rules look at. */
const OTHERS_CHECK: ReadonlySet<string> = new Set([
	'ros:topic:starts_enabled',
	'ros:service:starts_enabled',
	'ros:action:starts_enabled',
	'ros:topic:qos:match_publisher',
	'ros:topic:qos:depth',
	'ros:context:domain_id',
	'ros:frame:static',
]);

function checkAttributes(context: CheckContext, report: Reporter): void {
	checkSchemaNames(context, report);
	const owners = rosProperties(context.stage.schemas);
	for (const prim of context.lists.all) {
		for (const { layer, path } of prim.specs()) {
			if (layer === context.stage.sessionLayer || context.census(layer).ros.count === 0) continue;
			for (const name of dataOf(layer.data.field(path, 'properties'), T.tokenVector) ?? []) {
				if (!name.startsWith('ros:') && !name.startsWith('ros2:')) continue;
				const fault = attributeFault(prim, name, owners, layer.data.specType(path.appendProperty(name)), () => {
					const spec = path.appendProperty(name);
					return {
						typeName: dataOf(layer.data.field(spec, 'typeName'), T.token) ?? '',
						isUniform: dataOf(layer.data.field(spec, 'variability'), T.variability) === 'uniform',
					};
				});
				if (fault !== undefined) {
					report.add(context.atSpec(layer, path.appendProperty(name)), fault.message, { severity: fault.severity });
				}
			}
		}
	}
}

/** A schema with a misspelt name declares nothing, without a word. */
function checkSchemaNames(context: CheckContext, report: Reporter): void {
	for (const layer of context.newLayers) {
		for (const { path, item } of context.census(layer).schemas.entries) {
			const name = item?.split(':')[0] ?? '';
			if (!/^Ros[A-Z0-9]\w*API$/.test(name) || context.stage.schemas.find(name) !== undefined) continue;
			const plain = name.replace(/^Ros2/, 'Ros');
			const advice = context.stage.schemas.find(plain) === undefined ? '' : `; did you mean ${plain}?`;
			report.add(context.atSpec(layer, path, 'apiSchemas', item), `there is no ROS schema ${quote(name)}${advice}`);
		}
	}
}

interface Owner {
	readonly schema: string;
	/** Type of the attribute; undefined for a relationship. */
	readonly typeName: string | undefined;
}

interface AttributeFault {
	readonly message: string;
	readonly severity: 'error' | 'warning' | 'info';
}

function attributeFault(
	prim: Prim,
	name: string,
	owners: ReadonlyMap<string, Owner>,
	specType: SpecType,
	declared: () => { typeName: string; isUniform: boolean },
): AttributeFault | undefined {
	if (name === 'ros:joint:name') {
		if (!prim.isA('PhysicsJoint')) {
			return { message: `${name} is on ${prim.path}, which is no joint`, severity: 'warning' };
		}
		const { typeName } = declared();
		return typeName === 'string'
			? undefined
			: { message: `${name} is a ${typeName}, expected a string`, severity: 'error' };
	}
	const owner = owners.get(name);
	if (owner === undefined) {
		const nearest = nearestName(name, owners);
		const advice = nearest === undefined ? '' : `; did you mean ${nearest}?`;
		return { message: `no ROS schema has ${quote(name)}${advice}`, severity: 'warning' };
	}
	if (!prim.hasSchema(owner.schema)) {
		return {
			message: `${name} is authored on ${prim.path}, which does not apply ${owner.schema}`,
			severity: 'warning',
		};
	}
	if (specType !== SpecType.attribute || owner.typeName === undefined || OTHERS_CHECK.has(name)) return undefined;
	const { typeName, isUniform } = declared();
	if (typeName !== owner.typeName) {
		return { message: `${name} is a ${typeName}, expected a ${owner.typeName}`, severity: 'error' };
	}
	return isUniform
		? undefined
		: { message: `${name} is not uniform, expected \`uniform ${typeName}\``, severity: 'info' };
}

/** Every property of the ROS schemas by name. */
function rosProperties(schemas: SchemaRegistry): Map<string, Owner> {
	const owners = new Map<string, Owner>();
	for (const schema of ROS_SCHEMAS) {
		const definition = schemas.definitionOf(schema);
		if (definition === undefined) continue;
		for (const name of definition.propertyNames) {
			const property = definition.property(name)!;
			owners.set(name, { schema, typeName: property.kind === 'attribute' ? property.typeName : undefined });
		}
	}
	return owners;
}

const ROS_SCHEMAS: readonly string[] = [
	'RosContextAPI',
	...INTERFACE_SCHEMAS.map(({ api }) => api),
	'RosFrameAPI',
	'RosControlRigidBodyTwistAPI',
	'RosControlDiffDriveAPI',
	'RosControlJointTrajectoryAPI',
	'RosControlJointStateBroadcasterAPI',
];

function nearestName(name: string, owners: ReadonlyMap<string, Owner>): string | undefined {
	const plain = (text: string): string =>
		text
			.replace(/^ros2:/, 'ros:')
			.replaceAll('_', '')
			.toLowerCase();
	const wanted = plain(name);
	for (const candidate of owners.keys()) if (plain(candidate) === wanted) return candidate;
	const parts = wanted.split(':');
	for (const candidate of owners.keys()) {
		const others = plain(candidate).split(':');
		if (others.length !== parts.length) continue;
		const differing = others.filter((part, i) => part !== parts[i]);
		if (differing.length === 1 && isTypo(differing[0]!, parts[others.indexOf(differing[0]!)]!)) return candidate;
	}
	return undefined;
}

/** Whether two words differ by one letter: changed, left out, added, or swapped with the next. */
function isTypo(a: string, b: string): boolean {
	if (Math.abs(a.length - b.length) > 1) return false;
	let i = 0;
	while (i < a.length && a[i] === b[i]) i++;
	const rest = (text: string, from: number): string => text.slice(from);
	if (a.length === b.length) {
		if (rest(a, i + 1) === rest(b, i + 1)) return true;
		return a[i] === b[i + 1] && a[i + 1] === b[i] && rest(a, i + 2) === rest(b, i + 2);
	}
	return a.length > b.length ? rest(a, i + 1) === rest(b, i) : rest(a, i) === rest(b, i + 1);
}

function checkConflicts(context: CheckContext, report: Reporter): void {
	const first = new Map<string, RosInterface>();
	const servers = new Map<string, RosInterface>();
	for (const found of RosView.of(context).interfaces) {
		const { prim, schema, type, role, resolvedName, domain } = found;
		if (resolvedName === undefined || type === undefined) continue;
		const key = `${schema.noun} ${domain ?? ''} ${resolvedName}`;
		const other = first.get(key);
		if (other === undefined) first.set(key, found);
		else if (other.type !== type) {
			const message = `the ${schema.noun} ${resolvedName} is ${quote(type)} here and ${quote(other.type ?? '')} at ${other.prim.path}, expected one type`;
			report.add(context.at(prim.attribute(`${schema.prefix}:type`)), message, {
				related: [{ place: context.at(other.prim.attribute(`${schema.prefix}:type`)), message: 'the other type' }],
			});
			continue;
		}
		if (role !== 'server' || !found.startsEnabled) continue;
		const server = servers.get(key);
		if (server === undefined) servers.set(key, found);
		else {
			const message = `${prim.path} and ${server.prim.path} both serve ${resolvedName}, expected one server`;
			report.add(context.at(prim.attribute(`${schema.prefix}:name`)), message, {
				related: [{ place: context.at(server.prim.attribute(`${schema.prefix}:name`)), message: 'the other server' }],
			});
		}
	}
}
