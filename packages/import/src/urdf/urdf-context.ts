import { quote, type Report } from '@manyworlds/core';
import type { XmlElement } from '@manyworlds/core/internal';
import type { UrdfRobot } from '@manyworlds/formats';
import type { AttributeAssignments, ModelBuilder } from '@manyworlds/model';
import { type AttributeDeclaration, type AttributeFrequency, attributeKey } from '@manyworlds/model/internal';
import { readAttributeText } from '../attribute-text.ts';
import { createDiagnostic, type ImportCode } from '../diagnostics.ts';
import { MeshLibrary } from '../mesh/mesh-library.ts';
import type { ImportUrdfSettings } from './options.ts';
import type { UrdfLedger } from './urdf-ledger.ts';

/** What the parts of an import share. */
export class UrdfContext {
	readonly builder: ModelBuilder;
	readonly options: ImportUrdfSettings;
	readonly robot: UrdfRobot;
	readonly report: Report;
	readonly ledger: UrdfLedger;
	readonly meshes: MeshLibrary;
	readonly #declarations = new Map<AttributeFrequency, AttributeDeclaration[]>();

	constructor(
		builder: ModelBuilder,
		options: ImportUrdfSettings,
		robot: UrdfRobot,
		report: Report,
		ledger: UrdfLedger,
	) {
		this.builder = builder;
		this.options = options;
		this.robot = robot;
		this.report = report;
		this.ledger = ledger;
		const { store, file, newtonCompat, renamedPackages = !newtonCompat } = options;
		this.meshes = new MeshLibrary({ store, file, report, code: 'URDF009', renamedPackages });
		for (const declaration of builder.attributeDeclarations()) {
			const list = this.#declarations.get(declaration.frequency);
			if (list === undefined) this.#declarations.set(declaration.frequency, [declaration]);
			else list.push(declaration);
		}
	}

	/** A name below that of the robot. */
	label(name: string): string {
		return this.robot.name === undefined ? name : `${this.robot.name}/${name}`;
	}

	add(code: ImportCode, message: string, element: XmlElement): void {
		this.report.add(createDiagnostic(code, message, element.location));
	}

	/** Custom attributes of a frequency that an element gives. */
	attributes(element: XmlElement, frequency: AttributeFrequency): AttributeAssignments {
		const values: Record<string, AttributeAssignments[string]> = {};
		for (const declaration of this.#declarations.get(frequency) ?? []) {
			const name = declaration.urdfName ?? declaration.name;
			const attribute = element.attribute(name);
			if (attribute === undefined) continue;
			const key = attributeKey(declaration);
			const value = readAttributeText(declaration, attribute.value);
			if (value === undefined) {
				const message = `${quote(name)} is ${quote(attribute.value)}, expected a value of type ${declaration.type} for ${quote(key)}`;
				this.report.add(createDiagnostic('URDF003', message, attribute.location));
				continue;
			}
			values[key] = value;
			this.ledger.keep(element, name, { target: key });
		}
		return values;
	}
}
