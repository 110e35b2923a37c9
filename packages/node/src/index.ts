export type { NodeCode } from './diagnostics.ts';
export { FileStore, type FileStoreOptions } from './file-store.ts';
export { GitCache, type GitCacheOptions, type GitCheckoutResult } from './git-cache.ts';
export { type NodeLanguageHostOptions, nodeLanguageHost } from './node-language-host.ts';
export { type OpenedRtps, type OpenRtpsOptions, openRtps } from './open-rtps.ts';
export {
	type OpenedWebSockets,
	type OpenWebSocketsOptions,
	openWebSockets,
	type WebSocketClient,
	type WebSocketReceiver,
} from './open-web-sockets.ts';
export { RosPackages, type RosPackagesOptions } from './ros-packages.ts';
export { SceneStore, type SceneStoreOptions } from './scene-store.ts';
export type { RunningSite, ServeSiteOptions } from './serve-site.ts';
export { openStdioChannel, type StdioChannel } from './stdio-channel.ts';
