/** Whether a file is a scene, told by its name: a robot is never JSON or YAML. */
export function isSceneFile(file: string): boolean {
	return /\.(?:ya?ml|json)$/i.test(file);
}
