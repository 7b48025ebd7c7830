import type { Context } from 'mocha';

/** `npm run test:all`: in Docker, too, and what takes minutes. */
export const everything = process.env['PWP_TESTS'] === 'all';

/**
 * `it`, of a test that `npm run test:all` alone runs although its file is not slow: it shares with the others there what
 * takes long to set up.
 */
export function slowIt(title: string, test: (this: Context) => Promise<void>): void {
  if (everything) it(title, test);
}
