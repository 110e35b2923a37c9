import { type Layer, writeUsda, writeUsdc, writeUsdz } from '@manyworlds/usd';
import type { Sample } from '../groups/damage-groups.ts';
import { animationLayer } from './animation-layer.ts';
import { arraysLayer } from './arrays-layer.ts';
import { metadataLayer } from './metadata-layer.ts';
import { structureLayer } from './structure-layer.ts';
import { valuesLayer } from './values-layer.ts';

const LAYERS: Readonly<Record<string, () => Layer>> = {
	values: valuesLayer,
	structure: structureLayer,
	metadata: metadataLayer,
	arrays: arraysLayer,
	animation: animationLayer,
};

/** Five texts, five crates and three packages of our own. Between them they hold every type of value and every kind of spec. */
export function ownSamples(): Sample[] {
	const layers = Object.entries(LAYERS).map(([name, make]) => ({ name, layer: make() }));
	const texts = layers.map(({ name, layer }): Sample => ({ name, format: 'usda', bytes: writeUsda(layer.data) }));
	const crates = layers.map(({ name, layer }): Sample => ({ name, format: 'usdc', bytes: writeUsdc(layer.data) }));
	const picture = Uint8Array.from({ length: 300 }, (_, i) => (i * 31) & 0xff);
	return [
		...texts,
		...crates,
		packageOf('text', [texts[1]!], picture),
		packageOf('crate', [crates[3]!], picture),
		packageOf('mixed', [crates[4]!, texts[2]!, crates[1]!], picture),
	];
}

function packageOf(name: string, layers: readonly Sample[], picture: Uint8Array): Sample {
	const members = [
		...layers.map((layer) => ({ name: `${layer.name}.${layer.format}`, bytes: layer.bytes })),
		{ name: 'textures/picture.png', bytes: picture },
	];
	const bytes = writeUsdz(members);
	return { name, format: 'usdz', bytes, checked: members.map((member) => rangeOf(bytes, member.bytes)) };
}

/** Where `part` lies in `whole`. */
function rangeOf(whole: Uint8Array, part: Uint8Array): readonly [number, number] {
	const start = Buffer.from(whole.buffer, whole.byteOffset, whole.byteLength).indexOf(part);
	if (start < 0) throw new Error('a member of a package is not stored as it is');
	return [start, start + part.byteLength];
}
