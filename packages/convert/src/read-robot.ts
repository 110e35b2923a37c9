import { quote, type Report } from '@manyworlds/core';
import { detectAssetFormat } from '@manyworlds/import';
import { type AssetStore, isAssetFailure, LoadRules, type Stage } from '@manyworlds/usd';
import { createDiagnostic } from './diagnostics.ts';
import { fromMjcf } from './from/from-mjcf.ts';
import { fromSdf } from './from/from-sdf.ts';
import { fromUrdf } from './from/from-urdf.ts';
import { fromUsd } from './from/from-usd.ts';
import { openUsd, type VariantChoice } from './from/open-usd.ts';
import type { ConversionModel } from './model/conversion-model.ts';

/** Reads a robot of any format; undefined when there is none. */
export function readRobot(
	identifier: string,
	store: AssetStore,
	report: Report,
	variants: readonly VariantChoice[] = [],
): ConversionModel | undefined {
	const model = readModel(identifier, store, report, variants);
	if (model === 'unreadable') return undefined;
	if (model === undefined || model.bodies.length === 0) {
		report.add(
			createDiagnostic('CNV003', `${quote(identifier)} holds no robot that can be converted`, { file: identifier }),
		);
		return undefined;
	}
	return model;
}

/** The robot of a file, undefined when there is none; `unreadable` files are told. */
function readModel(
	identifier: string,
	store: AssetStore,
	report: Report,
	variants: readonly VariantChoice[],
): ConversionModel | 'unreadable' | undefined {
	if (isUsd(identifier, store)) {
		return fromUsd(identifier, store, report, openUsd(identifier, store, report, variants));
	}
	const bytes = store.bytes(identifier);
	if (!(bytes instanceof Uint8Array)) {
		const why = bytes === undefined ? 'it is not loaded yet' : bytes.failure || 'there is no such file';
		report.add(createDiagnostic('CNV003', `${quote(identifier)} cannot be read: ${why}`, { file: identifier }));
		return 'unreadable';
	}
	switch (detectAssetFormat(bytes, identifier)) {
		case 'urdf':
			return fromUrdf(bytes, identifier, store, report);
		case 'mjcf':
			return fromMjcf(bytes, identifier, store, report);
		case 'sdf':
			return fromSdf(bytes, identifier, store, report);
		default:
			return undefined;
	}
}

/** The stage of what is written as it looks: scenes without robots too. Undefined for other formats. */
export function openShown(
	identifier: string,
	store: AssetStore,
	report: Report,
	variants: readonly VariantChoice[],
	load: LoadRules = LoadRules.all,
): Stage | undefined {
	return isUsd(identifier, store) ? openUsd(identifier, store, report, variants, load) : undefined;
}

/** Whether a file is one of USD: by its name where that is enough, as reading it twice doubles the memory, else by its content. */
function isUsd(identifier: string, store: AssetStore): boolean {
	if (/\.usd[acz]?$/i.test(identifier)) {
		const layer = store.layer(identifier);
		if (layer !== undefined && !isAssetFailure(layer)) return true;
	}
	const bytes = store.bytes(identifier);
	return bytes instanceof Uint8Array && detectAssetFormat(bytes, identifier) === 'usd';
}
