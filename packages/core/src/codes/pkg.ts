/** Codes of dependencies between files and of packing them together; each entry is a `CodeInfo`. */
export const PKG_CODES = {
	PKG001: {
		title: 'Dependency not found',
		severity: 'warning',
		help: 'A layer names a file that does not exist, so the package does not hold it and what it would bring is missing there too. Paths are taken relative to the layer that names them.',
		bad: '#usda 1.0\ndef "Robot" (references = @./no_such_file.usda@)\n{\n}\n',
	},
	PKG002: {
		title: 'Dependency not packaged',
		severity: 'warning',
		help: 'A layer names something that cannot be found as a file: an address with a scheme such as `https:` or `package:`, or an expression that is known only when the stage is composed. The package keeps the path as it is and does not stand alone.',
		bad: '#usda 1.0\ndef "Robot" (references = @https://example.com/robot.usda@)\n{\n}\n',
	},
	PKG003: {
		title: 'Members of the package left behind',
		severity: 'warning',
		help: 'A package holds several files; converting it to a single layer keeps one of them. The message names the rest. Convert to usdz to keep everything, or convert each member with `package.usdz[member.usda]`.',
	},
	PKG004: {
		title: 'Relative paths no longer resolve',
		severity: 'warning',
		help: 'The layer names files relative to its own folder and was written to another folder, where those files are not. Give `--rewrite-paths` to have the paths rewritten, or write the output beside the input.',
	},
	PKG005: {
		title: 'Not a USD file',
		severity: 'error',
		help: 'The content is neither usda text (it would start with `#usda 1.0`), nor a crate (`PXR-USDC`), nor a usdz package (a zip file). The extension plays no part in this; the message says what the content looks like.',
	},
	PKG006: {
		title: 'Comments left behind',
		severity: 'info',
		help: 'Comments of a text layer (`# …`) are not part of its content, so a layer that is written anew does not have them. To keep a remark, put it into `doc` or `comment` metadata.',
		bad: '#usda 1.0\n\n# the torso\ndef Xform "torso"\n{\n}\n',
		good: '#usda 1.0\n\ndef Xform "torso" (\n    doc = "the torso"\n)\n{\n}\n',
	},
} as const;
