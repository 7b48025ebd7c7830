export { openServer, type Door, type Doors, type Server, type ServerOptions } from './server.ts';
export { screenDoors } from './screen.ts';
export {
  Desk,
  McpSessions,
  chooseOffers,
  offerFamilies,
  serveStdio,
  type Offer,
  type OfferOptions,
  type Pipe,
} from './mcp/index.ts';
export { inspectDoors } from './inspect/index.ts';
