export { runGit } from './run-git.ts';
export { toSlashes } from './slashes.ts';
export { commitFile, placeFile, replaceFile, uniqueName } from './sweep/commit-file.ts';
export { FILE_EXCHANGE_DEFAULTS, FileExchange } from './sweep/file-exchange.ts';
export { NatsExchange, NatsRefusal, parseNatsUrl } from './sweep/nats-exchange.ts';
export { ResultFolder } from './sweep/result-folder.ts';
export { parseS3Url, S3Client, S3Refusal, signRequest } from './sweep/s3-client.ts';
export { S3Results } from './sweep/s3-results.ts';
export { type Commit, workOn } from './sweep/work-on.ts';
