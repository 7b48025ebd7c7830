import { browserTools } from './data-browser.ts';
import { httpTools } from './data-http.ts';
import { mongoTools } from './data-mongo.ts';
import { socketTools } from './data-socket.ts';
import { sqliteTools } from './data-sqlite.ts';

/** Databases, servers and pages that run beside the IDE. */
export const dataTools = { ...sqliteTools, ...httpTools, ...socketTools, ...browserTools, ...mongoTools };
