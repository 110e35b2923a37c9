import type { CodeHelp } from '../../code-help.ts';
import type { XML_CODES } from '../xml.ts';

/** What to do about the codes of the XML reader under URDF, MJCF, SDF and COLLADA. */
export const XML_HELP: Readonly<Record<keyof typeof XML_CODES, CodeHelp>> = {
	XML001: {
		title: 'XML is not well-formed',
		help: 'The text breaks the rules of XML at this place: a tag without an end, an attribute without quotes, an `&` or `<` that had to be escaped. Reading goes on with the most likely meaning, so later findings may follow from this one.',
		bad: '<robot name="arm">\n  <link name="base">\n</robot>',
		good: '<robot name="arm">\n  <link name="base"/>\n</robot>',
		language: 'xml',
	},
	XML002: {
		title: 'Entity not replaced',
		help: 'Only the five predefined entities (`&amp;`, `&lt;`, `&gt;`, `&quot;`, `&apos;`) and character references such as `&#228;` are replaced. Entities that a file declares itself are refused, because a small file could make them grow without limit. Write the text out instead.',
		bad: '<!DOCTYPE robot [<!ENTITY side "left">]>\n<robot name="&side;"/>',
		good: '<robot name="left"/>',
		language: 'xml',
	},
	XML003: {
		title: 'Elements nested too deeply',
		help: 'Elements are nested deeper than any robot description is. What is deeper is left out.',
	},
	XML004: {
		title: 'Unknown encoding',
		help: 'The file declares an encoding other than UTF-8, UTF-16, ASCII or ISO-8859-1. It is read as UTF-8, which is right for the letters, digits and signs of ASCII.',
		bad: '<?xml version="1.0" encoding="windows-1252"?>\n<robot name="arm"/>',
		good: '<?xml version="1.0" encoding="utf-8"?>\n<robot name="arm"/>',
		language: 'xml',
	},
};
