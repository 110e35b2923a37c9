import { Layer } from '@manyworlds/usd';
import { CrateData, compareUtf8, detectFormat, MemoryData } from '@manyworlds/usd/internal';
import { THRESHOLDS } from '../../check-options.ts';
import { takeCensus } from '../../context/layer-census.ts';
import { VendorRegistry } from '../../context/vendors.ts';
import type { FixSession } from '../engine/fix-session.ts';
import type { Fixer } from '../engine/fixer.ts';
import { renameFiles } from '../layers/layer-paths.ts';

/** F22: layers that say something are text, layers of arrays are crates; files get the extension that fits. */
export const ENCODING: Fixer = {
	family: 'F22',
	title: 'text for structure, crates for arrays',
	rules: ['R1.2.1.3', 'R1.2.1.4'],
	safety: 'safe',
	apply(session) {
		const vendors = new VendorRegistry();
		const layers = session.layers().sort((a, b) => compareUtf8(a.identifier, b.identifier));
		for (const layer of layers) {
			const census = takeCensus(layer, vendors);
			const saysSomething = census.schemas.count + census.links.count > 0;
			const isHeavy = census.arrayBytes() >= THRESHOLDS.heavyBytes;
			const isCrate = layer.data instanceof CrateData || formatOf(session, layer) === 'usdc';
			if (isCrate && saysSomething) {
				if (isHeavy)
					session.refuse('R1.2.1.3', 'the crate holds both schemas and heavy arrays; split it first (F23)', { layer });
				else encode(session, 'R1.2.1.3', layer, 'usda');
			} else if (!isCrate && isHeavy && !saysSomething && layer !== session.rootLayer) {
				encode(session, 'R1.2.1.4', layer, 'usdc');
			}
		}
	},
};

function formatOf(session: FixSession, layer: Layer): string | undefined {
	const bytes = session.original(layer.identifier);
	return session.formats.get(layer.identifier) ?? (bytes === undefined ? undefined : detectFormat(bytes));
}

function encode(session: FixSession, rule: 'R1.2.1.3' | 'R1.2.1.4', layer: Layer, format: 'usda' | 'usdc'): void {
	const { identifier } = layer;
	if (layer === session.rootLayer || !session.wants(rule)) {
		if (session.wants(rule)) session.refuse(rule, 'the entry keeps its name; convert it by hand', { layer });
		return;
	}
	// what is called .usd may hold either
	const target = /\.usd[ac]$/i.test(identifier) ? identifier.replace(/\.usd[ac]$/i, `.${format}`) : identifier;
	if (target === identifier) {
		session.formats.set(identifier, format);
		session.adoptLayer(rule, layer);
		return;
	}
	session.adoptLayer(rule, new Layer(target, copyData(layer)));
	for (const user of session.layers()) retarget(session, rule, user, identifier, format);
	session.replaced.add(identifier);
	session.note(rule, `${file(target)} takes the place of ${file(identifier)}, which nothing names any more`, { layer });
}

/** Lets a layer name the new file where it named the old one. */
function retarget(session: FixSession, rule: 'R1.2.1.3' | 'R1.2.1.4', user: Layer, old: string, format: string): void {
	renameFiles(session, rule, user, ({ assetPath }) =>
		session.store.identify(assetPath, user.identifier).identifier === old
			? assetPath.replace(/\.usd[ac]$/i, `.${format}`)
			: assetPath,
	);
}

function copyData(layer: Layer): MemoryData {
	const data = new MemoryData();
	for (const path of layer.data.paths()) {
		data.createSpec(path, layer.specType(path));
		for (const name of layer.fieldNames(path)) {
			const value = layer.field(path, name);
			if (value !== undefined) data.setField(path, name, value);
		}
	}
	return data;
}

function file(identifier: string): string {
	return identifier.split('/').at(-1) ?? identifier;
}
