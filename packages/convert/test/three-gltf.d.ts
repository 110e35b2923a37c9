declare module 'three/addons/libs/meshopt_decoder.module.js' {
	export const MeshoptDecoder: { readonly ready: Promise<void> };
}
