/**
 * A value as Python prints it. Names of unsupported features hold values in this form, and programs that read them compare
 * texts.
 */
export function pythonText(value: unknown): string {
	if (value === null || value === undefined) return 'None';
	if (typeof value === 'boolean') return value ? 'True' : 'False';
	if (typeof value === 'string') return pythonString(value);
	if (Array.isArray(value)) return `[${value.map(pythonText).join(', ')}]`;
	if (typeof value !== 'object') return String(value);
	const entries = Object.entries(value).map(([key, part]) => `${pythonString(key)}: ${pythonText(part)}`);
	return `{${entries.join(', ')}}`;
}

/** A name as scenes compare them: text in small letters, other values as Python prints them, nothing as ''. */
export function nameOf(value: unknown): string {
	if (value === null || value === undefined) return '';
	return (typeof value === 'string' ? value : pythonText(value)).toLowerCase();
}

function pythonString(text: string): string {
	const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
	const body = text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\r', '\\r').replaceAll('\t', '\\t');
	return `${quote}${quote === "'" ? body.replaceAll("'", "\\'") : body}${quote}`;
}
