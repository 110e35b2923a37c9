export { runGit } from './run-git.ts';
export { toSlashes } from './slashes.ts';
export { commitFile, placeFile, replaceFile, syncFolder, uniqueName } from './sweep/commit-file.ts';
export { FileExchange, type FileExchangeOptions } from './sweep/file-exchange.ts';
export { NatsExchange, type NatsExchangeOptions, NatsRefusal, parseNatsUrl } from './sweep/nats-exchange.ts';
export { listFolder, ResultFolder } from './sweep/result-folder.ts';
export { type Commit, type WorkOptions, workOn } from './sweep/work-on.ts';
