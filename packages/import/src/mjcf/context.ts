import { quote, type Report } from '@manyworlds/core';
import { transformMultiply, transformPoint } from '@manyworlds/core/internal';
import type { MjcfDocument, MjcfElement } from '@manyworlds/formats';
import { MAIN_CLASS } from '@manyworlds/formats/internal';
import type { ModelBuilder } from '@manyworlds/model';
import type { AttributeDeclaration } from '@manyworlds/model/internal';
import { createDiagnostic, type ImportCode } from '../diagnostics.ts';
import type { Ledger, Provenance } from '../ledger.ts';
import { Attributes, pathOf } from './attributes.ts';
import type { ImportMjcfSettings } from './options.ts';
import { WeldedBodies } from './welded-bodies.ts';

/** What all parts of an import work on. */
export class MjcfContext {
	readonly document: MjcfDocument;
	readonly builder: ModelBuilder;
	readonly options: ImportMjcfSettings;
	readonly report: Report;
	readonly ledger: Ledger;
	/** Placed before everything: the option `xform`, then the turn to the builder's up axis. */
	readonly xform: Float64Array;
	/** The turn from the model's up axis to the builder's. */
	readonly upTurn: Float64Array;
	/** Attributes that the builder declares, by frequency. */
	readonly declarations: ReadonlyMap<string, readonly AttributeDeclaration[]>;
	/** Bodies, geoms, sites, joints and tendons by the names that references use; the first one wins. */
	readonly bodies: Map<string, number> = new Map();
	readonly geoms: Map<string, number> = new Map();
	readonly sites: Map<string, number> = new Map();
	readonly tendons: Map<string, number> = new Map();
	readonly joints: Map<string, NamedJoint> = new Map();
	/** Names of joints that a constraint or tendon names, so that they must be joints of their own. */
	readonly namedJoints: ReadonlySet<string>;
	/** Bodies without mass between several joints of one body, with that body. */
	readonly insertedBodies: Map<number, number> = new Map();
	readonly welds: WeldedBodies;
	/** Joints of the model in the order in which MuJoCo numbers their coordinates. */
	readonly jointOrder: NamedJoint[] = [];
	/** Shapes of geoms and sites, in the order of the import. */
	readonly geomShapes: ElementShapes[] = [];
	readonly siteShapes: ElementShapes[] = [];
	readonly sources: MjcfSources = {
		bodies: new Map(),
		joints: new Map(),
		equalities: new Map(),
		containers: new Map(),
	};
	/** Imported joints in the order of the builder. */
	readonly jointIndices: number[] = [];
	/** First joint of each root body, with its name. */
	readonly roots: { readonly start: number; readonly name: string }[] = [];
	readonly visualShapes: number[] = [];
	readonly colliderShapes: number[] = [];
	readonly firstShape: number;
	readonly firstBody: number;
	readonly firstJoint: number;
	readonly firstActuator: number;

	constructor(parts: {
		readonly document: MjcfDocument;
		readonly builder: ModelBuilder;
		readonly options: ImportMjcfSettings;
		readonly report: Report;
		readonly ledger: Ledger;
		readonly xform: Float64Array;
		readonly upTurn: Float64Array;
	}) {
		this.document = parts.document;
		this.builder = parts.builder;
		this.options = parts.options;
		this.report = parts.report;
		this.ledger = parts.ledger;
		this.xform = parts.xform;
		this.upTurn = parts.upTurn;
		this.firstActuator = parts.builder.rowCount('mujoco:actuator');
		this.firstShape = parts.builder.shapeCount;
		this.firstBody = parts.builder.bodyCount;
		this.firstJoint = parts.builder.jointCount;
		const declarations = new Map<string, AttributeDeclaration[]>();
		for (const declaration of parts.builder.attributeDeclarations()) {
			const list = declarations.get(declaration.frequency);
			if (list === undefined) declarations.set(declaration.frequency, [declaration]);
			else list.push(declaration);
		}
		this.declarations = declarations;
		this.namedJoints = namedJoints(parts.document);
		this.welds = new WeldedBodies(parts.document);
	}

	/** Attributes of an element over those of the class that it names, or of the one around it. */
	attributes(element: MjcfElement, ambient: string = MAIN_CLASS, tag: string = element.name): Attributes {
		const named = element.attribute('class');
		if (named !== undefined) {
			this.ledger.use(pathOf(element), 'class');
			if (!this.document.defaults.has(named.value)) {
				const message = `class of <${element.name}> is ${quote(named.value)}, expected the name of a default class`;
				this.report.add(createDiagnostic('MJCF005', message, named.location));
			}
		}
		return new Attributes(this, element, this.document.attributesOf(element, ambient, tag));
	}

	/** The class that elements inside get: the `childclass` of the element, or the one around it. */
	childClass(element: MjcfElement, ambient: string): string {
		const named = element.attribute('childclass');
		if (named === undefined) return ambient;
		this.ledger.use(pathOf(element), 'childclass');
		if (this.document.defaults.has(named.value)) return named.value;
		const message = `childclass of <${element.name}> is ${quote(named.value)}, expected the name of a default class`;
		this.report.add(createDiagnostic('MJCF005', message, named.location));
		return ambient;
	}

	/** Reports about an element. */
	fault(code: ImportCode, message: string, element: MjcfElement): void {
		this.report.add(createDiagnostic(code, message, element.location));
	}

	/** Whether a name or class begins with one of the patterns. */
	matches(patterns: readonly (string | RegExp)[], text: string): boolean {
		return patterns.some((pattern) =>
			new RegExp(`^(?:${typeof pattern === 'string' ? pattern : pattern.source})`).test(text),
		);
	}

	/** Says where a value of the model came from. */
	give(array: string, index: number, attributes: Attributes, name: string, fallback: string): void {
		const value = attributes.values.get(name);
		const provenance: Provenance =
			value === undefined
				? { source: 'importer default', why: fallback }
				: {
						source: 'authored',
						path: pathOf(value.element),
						name,
						value: value.text,
						why:
							value.fromClass === undefined
								? `the ${attributes.element.name} gives it`
								: `the default class ${quote(value.fromClass)} gives it`,
					};
		this.ledger.give(array, index, provenance);
	}
}

/** Joints that equalities and fixed tendons name. */
function namedJoints(document: MjcfDocument): Set<string> {
	const names = new Set<string>();
	const add = (name: string | undefined): void => {
		if (name !== undefined) names.add(plainName(name));
	};
	for (const section of document.sections('equality')) {
		for (const joint of section.childrenNamed('joint')) {
			add(joint.get('joint1'));
			add(joint.get('joint2'));
		}
	}
	for (const section of document.sections('tendon')) {
		for (const tendon of section.childrenNamed('fixed')) {
			for (const joint of tendon.childrenNamed('joint')) add(joint.get('joint'));
		}
	}
	return names;
}

/** A joint of the model as a part of a joint of the builder. */
export interface NamedJoint {
	readonly name: string;
	readonly type: 'free' | 'ball' | 'hinge' | 'slide';
	readonly joint: number;
	/** First of its degrees of freedom and coordinates. */
	readonly dof: number;
	readonly coordinate: number;
	/** Whether other joints of the body are part of the same joint of the builder. */
	readonly isMerged: boolean;
}

/** Elements behind rows of the builder. */
export interface MjcfSources {
	readonly bodies: Map<number, MjcfElement>;
	/** The first of the elements that are one joint; the body for those that hold it fast. */
	readonly joints: Map<number, MjcfElement>;
	readonly equalities: Map<number, MjcfElement>;
	/** Elements that geoms, sites, cameras and lights stand in: the worldbody, bodies and frames. */
	readonly containers: Map<MjcfElement, MjcfContainer>;
}

/** What holds for the things in an element. @public */
export interface MjcfContainer {
	/** -1 for the world. */
	readonly body: number;
	/** Default class of what is inside. */
	readonly ambient: string;
	/** Pose in the body; undefined for none. */
	readonly frame: Float64Array | undefined;
}

/** What a geom or site became. */
export interface ElementShapes {
	readonly element: MjcfElement;
	/** -1 for the world. */
	readonly body: number;
	readonly shapes: readonly number[];
}

/** `a · b` as a new pose. */
export function composed(a: Float64Array, b: Float64Array): Float64Array {
	return transformMultiply(new Float64Array(7), a, b);
}

/** The pose of no displacement. */
export function identity(): Float64Array {
	return Float64Array.of(0, 0, 0, 0, 0, 0, 1);
}

/** The two points of a segment seen from the frame around it. */
export function framedSegment(numbers: Float64Array, frame: Float64Array): Float64Array {
	const out = new Float64Array(6);
	transformPoint(out, frame, numbers, 0, 0, 0);
	transformPoint(out, frame, numbers, 3, 0, 3);
	return out;
}

/** A name as labels have it. */
export function plainName(name: string): string {
	return name.replaceAll('-', '_');
}
