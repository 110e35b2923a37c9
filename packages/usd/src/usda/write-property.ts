import { attributeTypeNames, findAttributeType } from '../sdf/attribute-type.ts';
import type { LayerData } from '../sdf/layer-data.ts';
import type { ListOp } from '../sdf/list-op.ts';
import type { Path } from '../sdf/path.ts';
import { dataOf, type TimeSamples, type Value, valueIs } from '../sdf/value.ts';
import { T } from '../sdf/value-type.ts';
import type { LayerOutput } from './layer-output.ts';
import { fieldAt, specOf } from './spec-fields.ts';
import { LIST_EDITS, writePath } from './write-list-op.ts';
import { writeMappers } from './write-mapper.ts';
import { writeMetadata } from './write-metadata.ts';
import { writeSpline } from './write-spline.ts';
import { isWritable, writeValue } from './write-value.ts';

/** Writes every statement of an attribute: declaration with default and metadata, samples, spline, connections. */
export function writeAttribute(out: LayerOutput, indent: number, data: LayerData, path: Path): void {
	let isCustom = false;
	let hasComment = false;
	let prefix = '';
	let typeName = '';
	let value: Value | undefined;
	let samples: TimeSamples | undefined;
	let spline: Value | undefined;
	let connections: ListOp<Path> | undefined;
	let hasMappers = false;
	let metadata: string[] = NO_NAMES;
	const spec = specOf(data, path);
	const names = spec === undefined ? data.fieldNames(path) : spec.names;
	for (let i = 0; i < names.length; i++) {
		const name = names[i]!;
		const field = fieldAt(data, spec, path, name, i);
		switch (name) {
			case 'custom':
				isCustom = dataOf(field, T.bool) === true;
				break;
			case 'variability':
				if (field?.data === 'uniform') prefix = 'uniform ';
				break;
			case 'typeName':
				typeName = serializationName(`${field?.data ?? ''}`);
				break;
			case 'default':
				value = field;
				break;
			case 'timeSamples':
				samples = dataOf(field, T.timeSamples);
				break;
			case 'spline':
				spline = field;
				break;
			case 'connectionPaths':
				connections = dataOf(field, T.pathListOp);
				break;
			case 'comment':
				hasComment = field?.data !== '';
				break;
			case 'connectionChildren':
				break;
			case 'mapperChildren':
				hasMappers = true;
				break;
			default:
				if (metadata === NO_NAMES) metadata = [];
				metadata.push(name);
		}
	}
	if (value !== undefined && !isWritable(value.type)) {
		out.leaveOut(path, 'default', value);
		value = undefined;
	}
	const hasInfo = hasComment || metadata.length > 0;
	const hasMore = connections !== undefined || samples !== undefined || spline !== undefined;
	if (hasInfo || value !== undefined || isCustom || !hasMore) {
		out.indent(indent);
		if (isCustom) out.text('custom ');
		writeDeclaration(out, prefix, typeName, path.name);
		if (value !== undefined) writeDefault(out, indent, value);
		if (hasInfo) writeMetadata(out, indent, data, path, metadata);
		out.byte(0x0a);
	}
	if (samples !== undefined) {
		out.indent(indent);
		writeDeclaration(out, prefix, typeName, path.name);
		out.text('.timeSamples = {\n');
		writeTimeSamples(out, indent + 1, path, samples);
		out.line(indent, '}\n');
	}
	if (valueIs(spline, T.spline)) {
		out.indent(indent);
		writeDeclaration(out, prefix, typeName, path.name);
		out.text('.spline = {\n');
		writeSpline(out, indent, spline.data);
		out.line(indent, '}\n');
	}
	if (connections?.isExplicit) {
		writeConnections(out, indent, '', prefix, typeName, path.name, connections.explicitItems);
	} else if (connections !== undefined) {
		for (const { keyword, list } of LIST_EDITS) {
			if (connections[list].length === 0) continue;
			writeConnections(out, indent, keyword, prefix, typeName, path.name, connections[list]);
		}
	}
	if (hasMappers) writeMappers(out, indent, data, path, `${prefix}${typeName} ${path.name}`);
}

/** Writes every statement of a relationship: declaration with explicit targets and metadata, then edits of targets. */
export function writeRelationship(out: LayerOutput, indent: number, data: LayerData, path: Path): void {
	let isCustom = false;
	let hasComment = false;
	// a relationship without this field counts as varying
	let varying = 'varying ';
	let targets: ListOp<Path> | undefined;
	let value: Value | undefined;
	let metadata: string[] = NO_NAMES;
	const spec = specOf(data, path);
	const names = spec === undefined ? data.fieldNames(path) : spec.names;
	for (let i = 0; i < names.length; i++) {
		const name = names[i]!;
		const field = fieldAt(data, spec, path, name, i);
		switch (name) {
			case 'custom':
				isCustom = dataOf(field, T.bool) === true;
				break;
			case 'variability':
				if (field?.data === 'uniform') varying = '';
				break;
			case 'targetPaths':
				targets = dataOf(field, T.pathListOp);
				break;
			case 'default':
				value = field;
				break;
			case 'comment':
				hasComment = field?.data !== '';
				break;
			case 'targetChildren':
				break;
			default:
				if (metadata === NO_NAMES) metadata = [];
				metadata.push(name);
		}
	}
	const hasInfo = hasComment || metadata.length > 0;
	const explicit = targets?.isExplicit ? targets.explicitItems : undefined;
	const edits = targets === undefined || targets.isExplicit || targets.isInert ? undefined : targets;
	if (hasInfo || explicit !== undefined || (edits === undefined && !isCustom)) {
		writeRelationshipHead(out, indent, isCustom ? 'custom ' : '', varying, path.name);
		if (explicit?.length === 0) out.text(' = None');
		else if (explicit !== undefined) writeTargets(out, indent, explicit);
		if (hasInfo) writeMetadata(out, indent, data, path, metadata);
		out.byte(0x0a);
	} else if (isCustom) {
		writeRelationshipHead(out, indent, 'custom ', varying, path.name);
		out.byte(0x0a);
	}
	if (edits !== undefined) {
		for (const { keyword, list } of LIST_EDITS) {
			if (edits[list].length === 0) continue;
			writeRelationshipHead(out, indent, keyword, varying, path.name);
			writeTargets(out, indent, edits[list]);
			out.byte(0x0a);
		}
	}
	if (value !== undefined && isWritable(value.type)) {
		writeRelationshipHead(out, indent, '', varying, path.name);
		out.text('.default = ');
		writeDefault(out, 0, value);
		out.line(indent, '\n');
	}
}

const NO_NAMES: string[] = [];

function writeDeclaration(out: LayerOutput, prefix: string, typeName: string, name: string): void {
	if (prefix !== '') out.text(prefix);
	out.text(typeName);
	out.byte(0x20);
	out.text(name);
}

function writeRelationshipHead(out: LayerOutput, indent: number, keyword: string, varying: string, name: string): void {
	out.line(indent, keyword);
	out.text(varying);
	out.text('rel ');
	out.text(name);
}

/** OpenUSD leaves out the equals sign in front of a path, which no attribute type can hold. */
function writeDefault(out: LayerOutput, indent: number, value: Value): void {
	if (valueIs(value, T.path)) {
		out.indent(indent);
		writePath(out, value.data);
	} else {
		out.text(' = ');
		writeValue(out, value);
	}
}

function writeTimeSamples(out: LayerOutput, indent: number, path: Path, samples: TimeSamples): void {
	const { times } = samples;
	for (let i = 0; i < times.length; i++) {
		const value = samples.valueAt(i);
		if (!isWritable(value.type)) {
			out.leaveOut(path, 'timeSamples', value);
			continue;
		}
		out.indent(indent);
		out.double(times[i]!);
		out.text(': ');
		if (valueIs(value, T.path)) writePath(out, value.data);
		else writeValue(out, value);
		out.text(',\n');
	}
}

/** Writes the statement of one list of connections. */
function writeConnections(
	out: LayerOutput,
	indent: number,
	keyword: string,
	prefix: string,
	typeName: string,
	name: string,
	connections: readonly Path[],
): void {
	out.line(indent, keyword);
	writeDeclaration(out, prefix, typeName, name);
	out.text('.connect = ');
	if (connections.length === 0) out.text('None');
	else writePathList(out, indent, connections);
	out.byte(0x0a);
}

function writeTargets(out: LayerOutput, indent: number, targets: readonly Path[]): void {
	out.text(' = ');
	writePathList(out, indent, targets);
}

/** Writes one path bare, several in brackets, one on a line. */
function writePathList(out: LayerOutput, indent: number, paths: readonly Path[]): void {
	if (paths.length === 1) {
		writePath(out, paths[0]!);
		return;
	}
	out.text('[\n');
	for (const path of paths) {
		out.indent(indent + 1);
		writePath(out, path);
		out.text(',\n');
	}
	out.line(indent, ']');
}

/** The name that a type is written under: old names of types that have a new one give way to it. */
function serializationName(name: string): string {
	return PRESENT_NAMES.get(name) ?? name;
}

const PRESENT_NAMES = presentNames();

function presentNames(): ReadonlyMap<string, string> {
	const present = new Map<string, string>();
	const legacy: [string, string][] = [];
	for (const name of attributeTypeNames()) {
		const type = findAttributeType(name)!;
		if (type.valueType === undefined) continue;
		const key = `${type.valueType.name} ${type.role}`;
		if (type.isLegacy) legacy.push([name, key]);
		else present.set(key, name);
	}
	return new Map(legacy.flatMap(([name, key]) => (present.has(key) ? [[name, present.get(key)!] as const] : [])));
}
