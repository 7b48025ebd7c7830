// Episodes for programs in any language, over HTTP: docs/serve.md.
export { episodeRoutes } from './episode-routes.ts';
export { EpisodeTable, type EpisodeTableOptions } from './episode-table.ts';
export { type EpisodeInput, type EpisodeOutput, isEpisodeCall } from './episode-calls.ts';
export { readInput, sendReply, splitPath } from './json-messages.ts';
export { describeRequest } from './open-api.ts';
