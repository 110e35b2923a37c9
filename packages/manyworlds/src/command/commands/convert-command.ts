import type { MeshCodec, VariantChoice } from '@manyworlds/convert';
import { InvalidArgumentError, Option } from 'commander';
import { collect, parseVersion, withFiles } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import type { ConvertCommandOptions } from './convert.ts';

/** Declares `manyworlds convert`; what it does is loaded when it runs. */
export function declareConvert(commands: CommandSet): void {
	withFiles(
		commands
			.add('convert', 'write a robot or a layer in another format')
			.argument(
				'<paths...>',
				'robot (usd, urdf, mjcf, sdf) or layer, then the file to write; its extension says the format: urdf, sdf, xml (MJCF), glb, gltf, usda, usdc, usd, usdz. Several robots, folders or patterns, then a folder, with --to',
			),
	)
		.addOption(
			new Option('--to <format>', 'format of the output').choices([
				'urdf',
				'sdf',
				'mjcf',
				'glb',
				'gltf',
				'rep',
				'usda',
				'usdc',
				'usdz',
			]),
		)
		.option('--strict', 'robots: what the target cannot hold is an error')
		.addOption(new Option('--report <format>', 'robots: what became of every part').choices(['text', 'json']))
		.addOption(
			new Option('--base <base>', 'MJCF, USD: what roots do that nothing holds').choices(['fixed', 'floating']),
		)
		.option('--mesh-package <name>', 'URDF: name of the ROS package that addresses of meshes begin with')
		.option('--split-joints', 'URDF, SDF: joints with several ways to move become chains of joints')
		.option('--ros2-control', 'URDF: a ros2_control block with the commands that joints take')
		.option('--srdf', 'URDF: an SRDF beside it for links that do not collide')
		.option('--interfaces', 'URDF: a JSON file beside it with topics, services, actions and controllers')
		.option('--variant </prim:set=name>', 'variant of a USD robot to convert; repeatable', collectVariant)
		.option('--include-colliders', 'glTF: a second scene with what collides')
		.option('--animate-joints', 'glTF: an animation that moves one joint after the other over its way')
		.option('--animate-stage', 'glTF: an animation with what moves over time on a stage')
		.option('--area-lights', 'glTF: lights with a shape become lamps of the same flux')
		.option('--prune', 'glTF: leaves out nodes that hold nothing and stand where their parent stands')
		.option('--keep-hidden', 'glTF: invisible geometry as nodes that are invisible (KHR_node_visibility)')
		.option('--subdivide <times>', 'glTF: refine the cages of subdivided meshes, 1 to 6 times', parseTimes)
		.option('--primvars', 'glTF: values that no material reads as attributes named _NAME')
		.option('--no-fallback', 'glTF: viewers must know instancing (EXT_mesh_gpu_instancing)')
		.addOption(
			new Option('--compress <codec>', 'glTF: pack meshes, for viewers that know the codec').choices(['meshopt']),
		)
		.option('--material-variants </prim:set>', 'glTF: variants of a set as materials to choose', parseVariantSet)
		.option('--repair-inertia', 'lift inertias that no solid has to the nearest that one has')
		.option('--merge-fixed', 'URDF, SDF, MJCF, USD: links that fixed joints hold become parts of their holders')
		.option('--min-mass <kg>', 'USD: mass of links that move and have none (default 1e-6)', parseMass)
		.addOption(
			new Option(
				'--vendor <names...>',
				'USD: layers beside the asset with values that only these engines have',
			).choices(['newton', 'mujoco']),
		)
		.addOption(
			new Option(
				'--payload-policy <policy>',
				'USD: whether the entry refers to its layers or loads them as payloads',
			).choices(['kinematics-visible', 'entry']),
		)
		.option('--packages <dir>', 'folder whose subfolders are ROS packages, for package:// paths; repeatable', collect)
		.option('--force', 'write over files that may belong to another robot')
		.option('--usdc-version <version>', 'crate version to write, raised when the content needs it', parseVersion)
		.option('--rewrite-paths', 'keep relative paths true when the output is in another folder')
		.action(async (paths: string[], options: ConvertCommandOptions & { readonly compress?: 'meshopt' }) => {
			const { convert } = await import('./convert.ts');
			const codec = options.compress === undefined ? {} : { meshCodec: await loadCodec() };
			const output = paths.at(-1)!;
			if (paths.length < 2) commands.program.error("error: missing required argument 'output'");
			convert(commands.context, paths.slice(0, -1), output, { ...options, ...codec });
		});
}

async function loadCodec(): Promise<MeshCodec> {
	const { loadMeshCodec } = await import('@manyworlds/convert');
	return loadMeshCodec();
}

/** How often something is subdivided. */
function parseTimes(text: string): number {
	if (!/^[1-6]$/.test(text)) throw new InvalidArgumentError('Expected a whole number from 1 to 6.');
	return Number(text);
}

/** A mass in kilograms. */
function parseMass(text: string): number {
	const mass = Number(text);
	if (!(mass > 0 && Number.isFinite(mass))) throw new InvalidArgumentError('Expected a number above 0.');
	return mass;
}

/** `/prim:set`. */
function parseVariantSet(text: string): { prim: string; set: string } {
	const [, prim, set] = /^(\/[^:]+):([^=]+)$/.exec(text) ?? [];
	if (prim === undefined) throw new InvalidArgumentError('Expected /prim:set.');
	return { prim, set: set! };
}

/** `/prim:set=name`, added to those before. */
function collectVariant(text: string, choices: readonly VariantChoice[] = []): VariantChoice[] {
	const [, prim, set, variant] = /^(\/[^:]+):([^=]+)=(.+)$/.exec(text) ?? [];
	if (prim === undefined) throw new InvalidArgumentError('Expected /prim:set=name.');
	return [...choices, { prim, set: set!, variant: variant! }];
}
