export { runGit } from './run-git.ts';
export { toSlashes } from './slashes.ts';
export { commitFile, placeFile, replaceFile, syncFolder, uniqueName } from './sweep/commit-file.ts';
export { FILE_EXCHANGE_DEFAULTS, FileExchange, type FileExchangeOptions } from './sweep/file-exchange.ts';
export { NatsExchange, type NatsExchangeOptions, NatsRefusal, parseNatsUrl } from './sweep/nats-exchange.ts';
export { listFolder, ResultFolder } from './sweep/result-folder.ts';
export { parseS3Url, S3Client, type S3Place, S3Refusal, signRequest } from './sweep/s3-client.ts';
export { S3Results } from './sweep/s3-results.ts';
export { type Commit, type WorkOptions, workOn } from './sweep/work-on.ts';
