import type { CodeHelp } from '@manyworlds/core/internal';
import type { CLI_CODES } from '../cli.ts';

/** What to do about the codes of the command `manyworlds`. */
export const CLI_HELP: Readonly<Record<keyof typeof CLI_CODES, CodeHelp>> = {
	CLI001: {
		title: 'File not found',
		help: 'No file has this name. Paths are taken relative to the working directory.',
	},
	CLI002: {
		title: 'Not a file',
		help: 'The path names a folder where one file is needed. Commands that take several files accept a folder and look for layers in it.',
	},
	CLI003: {
		title: 'File cannot be read',
		help: 'The operating system refused to give the content of the file; the message has its reason, such as missing permission.',
	},
	CLI004: {
		title: 'File cannot be written',
		help: 'The operating system refused to write the output; the message has its reason. The output is written to a temporary name first, so a file that was there before is intact.',
	},
	CLI005: {
		title: 'Unknown output format',
		help: 'The format of the output follows from its extension: `.urdf`, `.sdf`, `.xml`, `.glb`, `.gltf`, `.usda`, `.usdc`, `.usd` or `.usdz`. Give one of these, or say the format with `--to`, as several inputs need it. A robot of another format becomes several layers, which `.usda` and `.usdz` can hold.',
	},
	CLI006: {
		title: 'Wrong use of the command',
		help: 'An option, an argument or the name of a command is not known or has an unusable value. `manyworlds help` and `manyworlds help COMMAND` list what is accepted.',
	},
	CLI007: {
		title: 'File is not in canonical form',
		help: '`manyworlds format` would change this file. Run it without `--check` to have it rewritten.',
	},
	CLI009: {
		title: 'Nothing to work on',
		help: 'A pattern matched no file, or a folder holds no layer (`.usda`, `.usdc`, `.usd`, `.usdz`).',
	},
	CLI010: {
		title: 'Not a text layer',
		help: '`manyworlds format` rewrites text layers (usda). A binary layer or a package has no formatting; `manyworlds convert` turns it into text.',
	},
	CLI011: {
		title: 'Nothing was written',
		help: 'The input could not be read completely, so an output would lack some of it. Correct the errors that are reported with this one first.',
	},
	CLI012: {
		title: 'Stage cannot be opened',
		help: 'The file has no layer that a stage could be composed from; the message says why.',
	},
	CLI013: {
		title: 'Nothing at that path',
		help: 'The stage has no prim or property at the path. Paths start with a slash, properties follow a dot, and metadata follows a colon: `/robot/arm.physics:mass`, `/robot:kind`. `manyworlds inspect FILE --stage` lists the prims.',
	},
	CLI020: {
		title: 'World diverged',
		help: 'A solver came to numbers in one world that are not finite, or to speeds beyond 1e6 m/s or rad/s. That world was held at its last good state; the others went on as if nothing had happened. Smaller steps (`--dt`), softer gains or a correction of the masses help. `manyworlds inspect --model` shows what was imported.',
	},
	CLI021: {
		title: 'Contacts left out',
		help: 'A world found more contacts than it has room for. Shapes that overlap all the time are a frequent cause: filter them, or check the gap of the shapes.',
	},
	CLI023: {
		title: 'No rate to report',
		help: 'A benchmark that ends with numbers that are not finite, or with a world that diverged, has computed nothing that a rate could be about. `manyworlds run` on the same file shows when and where it happens.',
	},
	CLI024: {
		title: 'Nothing to run',
		help: 'The file was read, but there is nothing in it that a solver could move: no body, no joint with freedom, or a model that does not pass its checks. `manyworlds inspect FILE --model` shows what was imported.',
	},
	CLI025: {
		title: 'Files of another asset are in the way',
		help: 'A converted robot is several files, and one of them is there already with other content, while the main file is not: it may belong to another robot, which would be spoilt. Nothing was written. Give each robot a folder of its own, or `--force`.',
	},
	CLI030: {
		title: 'The viewer cannot be served',
		help: 'The pages of the viewer are not in this installation, or the port is taken. `npm run build:viewer` makes the pages in a clone; `--port` chooses another port.',
	},
	CLI031: {
		title: 'Not all files are offered to the viewer',
		help: 'The folder of the asset has more files than the viewer reads. Those beyond the limit are missing in the page. Move the asset to a folder of its own.',
	},
};
