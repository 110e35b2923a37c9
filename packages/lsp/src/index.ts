export type { LanguageHost } from './language-host.ts';
export { createLanguageServer, type LanguageServer, type LanguageServerOptions } from './language-server.ts';
export { remoteLanguageHost, type WorkerTimers } from './remote-language-host.ts';
