import { Option } from 'commander';
import { parseVersion, withFiles } from '../command-options.ts';
import type { CommandSet } from '../command-set.ts';
import type { ConvertCommandOptions } from './convert.ts';

/** Declares `manyworlds convert`; what it does is loaded when it runs. */
export function declareConvert(commands: CommandSet): void {
	withFiles(
		commands
			.add('convert', 'write a robot or a layer in another format')
			.argument('<input>', 'robot (usd, urdf, mjcf) or layer, or package.usdz[member]')
			.argument(
				'<output>',
				'file to write; its extension says the format: urdf, sdf, xml (MJCF), glb, gltf, usda, usdc, usd, usdz',
			),
	)
		.addOption(
			new Option('--to <format>', 'format of the output').choices([
				'urdf',
				'sdf',
				'mjcf',
				'glb',
				'gltf',
				'usda',
				'usdc',
				'usdz',
			]),
		)
		.option('--strict', 'robots: what the target cannot hold is an error')
		.addOption(new Option('--report <format>', 'robots: what became of every part').choices(['text', 'json']))
		.addOption(new Option('--base <base>', 'MJCF: what roots do that nothing holds').choices(['fixed', 'floating']))
		.option('--mesh-package <name>', 'URDF: name of the ROS package that addresses of meshes begin with')
		.option('--split-joints', 'URDF, SDF: joints with several ways to move become chains of joints')
		.option('--usdc-version <version>', 'crate version to write, raised when the content needs it', parseVersion)
		.option('--rewrite-paths', 'keep relative paths true when the output is in another folder')
		.action(async (input: string, output: string, options: ConvertCommandOptions) => {
			const { convert } = await import('./convert.ts');
			convert(commands.context, input, output, options);
		});
}
