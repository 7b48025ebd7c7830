// Episodes for programs in any language, over HTTP: docs/serve.md.
export { answerEpisodeMessage, episodeMessage, mostInProgress } from './episode-socket.ts';
export { writeError } from './episode-input.ts';
export { episodeRoutes } from './episode-routes.ts';
export { EpisodeTable, type EpisodeTableOptions, type ServedTable } from './episode-table.ts';
export {
  describeServedTools,
  errorReply,
  type EpisodeInput,
  type EpisodeOutput,
  isEpisodeCall,
} from './episode-calls.ts';
export { mostBodyBytes, readInput, sendReply, splitPath } from './json-messages.ts';
export { describeRequest } from './open-api.ts';
