import { Report } from '@manyworlds/core';
import type { AssetStore, LoadRules } from '@manyworlds/usd';
import { createDiagnostic } from './diagnostics.ts';
import { fromUsd } from './from/from-usd.ts';
import type { VariantChoice } from './from/open-usd.ts';
import { DRAWN_PURPOSES } from './gltf/stage-visibility.ts';
import { showGltf } from './gltf/write-gltf.ts';
import { ConversionLedger } from './model/conversion-ledger.ts';
import type { ConversionModel } from './model/conversion-model.ts';
import { emptyModel } from './model/empty-model.ts';
import { openShown, readRobot } from './read-robot.ts';

/** What a robot or scene looks like, and which of its parts are bodies. */
export interface ShownRobot {
	readonly model: ConversionModel;
	/** GLB with Y up, in metres below its root. */
	readonly glb: Uint8Array;
	/** Nodes of the GLB that stand for bodies, by the bodies of the model. */
	readonly bodyNodes: ReadonlyMap<number, number>;
}

/** Options of {@link showRobot}. */
export interface ShowRobotOptions {
	readonly report?: Report;
	readonly variants?: readonly VariantChoice[];
	/** Payloads of a stage that are loaded; all unless given. */
	readonly load?: LoadRules;
	/** Purposes of geometry on a stage that are drawn; `default` and `render` unless given. */
	readonly purposes?: ReadonlySet<string>;
}

/** Draws a robot of any format, or a stage without one, as glTF in memory. Undefined when there is nothing to see. */
export function showRobot(
	identifier: string,
	store: AssetStore,
	options: ShowRobotOptions = {},
): ShownRobot | undefined {
	const { report = new Report(), variants = [], load, purposes = DRAWN_PURPOSES } = options;
	const stage = openShown(identifier, store, report, variants, load);
	const model =
		stage === undefined
			? readRobot(identifier, store, report, variants)
			: (fromUsd(identifier, store, report, stage) ?? emptyModel(stage.defaultPrim?.name ?? 'scene'));
	if (model === undefined) return undefined;
	const ledger = new ConversionLedger();
	const { glb, nodes } = showGltf(model, stage, store, ledger, { purposes });
	tellMissingImages(ledger, identifier, report);
	return { model, glb, bodyNodes: nodes.bodies };
}

/** Findings for images that are not seen; what else glTF cannot hold is no part of a picture. */
function tellMissingImages(ledger: ConversionLedger, file: string, report: Report): void {
	for (const { outcome, losses, from } of ledger.items) {
		if (outcome !== 'dropped') continue;
		for (const { code, message } of losses)
			if (code === 'texture-missing') report.add(createDiagnostic('CNV006', `${code}: ${message}`, { file, ...from }));
	}
}
