import type { Context } from 'mocha';

/** True in `npm run test:all`: runs tests in Docker too, and those that take minutes. */
export const everything = process.env['PWP_TESTS'] === 'all';

/**
 * `it` for a test that only `npm run test:all` runs although its file is not slow: it shares a costly set-up with the
 * other tests there.
 */
export function slowIt(title: string, test: (this: Context) => Promise<void>): void {
  if (everything) it(title, test);
}
