/** A name that prims may have, as near as it can be to the name of a part. */
export function primName(wanted: string, otherwise: string): string {
	const letters = wanted.replace(/[^A-Za-z0-9_]+/g, '_');
	if (letters === '' || /^_+$/.test(letters)) return otherwise;
	return /^[0-9]/.test(letters) ? `_${letters}` : letters;
}

/** A name that frames of ROS may have. */
export function frameId(wanted: string, otherwise: string): string {
	const id = wanted.replace(/[^A-Za-z0-9_/.-]+/g, '_').replace(/^[/.-]+/, '');
	return id === '' ? otherwise : id;
}
