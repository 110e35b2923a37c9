import type { CodeHelp } from '@manyworlds/core/internal';
import type { PKG_CODES } from '../pkg.ts';

/** What to do about the codes of dependencies between files and of packing them together. */
export const PKG_HELP: Readonly<Record<keyof typeof PKG_CODES, CodeHelp>> = {
	PKG001: {
		title: 'Dependency not found',
		help: 'A layer names a file that does not exist, so the package does not hold it and what it would bring is missing there too. Paths are taken relative to the layer that names them.',
		bad: '#usda 1.0\ndef "Robot" (references = @./no_such_file.usda@)\n{\n}\n',
	},
	PKG002: {
		title: 'Dependency not packaged',
		help: 'A layer names something that cannot be found as a file: an address with a scheme such as `https:` or `package:`, or an expression that is known only when the stage is composed. The package keeps the path as it is and does not stand alone.',
		bad: '#usda 1.0\ndef "Robot" (references = @https://example.com/robot.usda@)\n{\n}\n',
	},
	PKG003: {
		title: 'Members of the package left behind',
		help: 'A package holds several files; converting it to a single layer keeps one of them. The message names the rest. Convert to usdz to keep everything, or convert each member with `package.usdz[member.usda]`.',
	},
	PKG004: {
		title: 'Relative paths no longer resolve',
		help: 'The layer names files relative to its own folder and was written to another folder, where those files are not. Give `--rewrite-paths` to have the paths rewritten, or write the output beside the input.',
	},
	PKG005: {
		title: 'Not a USD file',
		help: 'The content is neither usda text (it would start with `#usda 1.0`), nor a crate (`PXR-USDC`), nor a usdz package (a zip file). The extension plays no part in this; the message says what the content looks like.',
	},
	PKG006: {
		title: 'Comments left behind',
		help: 'Comments of a text layer (`# …`) are not part of its content, so a layer that is written anew does not have them. To keep a remark, put it into `doc` or `comment` metadata.',
		bad: '#usda 1.0\n\n# the torso\ndef Xform "torso"\n{\n}\n',
		good: '#usda 1.0\n\ndef Xform "torso" (\n    doc = "the torso"\n)\n{\n}\n',
	},
	PKG007: {
		title: 'Comments would be lost',
		help: 'The canonical form of a text layer is written from its content, and comments (`# …`) are not part of the content. A file with comments is left alone unless `--force` is given. To keep a remark, put it into `doc` or `comment` metadata.',
		bad: '#usda 1.0\n\n# the torso\ndef Xform "torso"\n{\n}\n',
		good: '#usda 1.0\n\ndef Xform "torso" (\n    doc = "the torso"\n)\n{\n}\n',
	},
};
