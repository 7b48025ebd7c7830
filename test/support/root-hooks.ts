import { closeEngine } from './docker-engine.ts';

/** Mocha runs these around all files together. */
export const mochaHooks = { afterAll: closeEngine };
