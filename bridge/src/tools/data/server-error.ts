import { causesOf, messageOf, clip } from '../../../lib/index.ts';
import { toolError } from '../../../protocol/index.ts';

/** The system's error codes for a server that can't be reached. */
const unreachable = new Set([
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'ENETUNREACH',
  'EHOSTUNREACH',
  'ENOENT',
  'EADDRNOTAVAIL',
]);

/** The tool error of a failed connection: `no-server` or `failed`. */
export function serverError(url: string, error: unknown): Error {
  const causes = [error, ...causesOf(error)];
  const code = causes.map((one) => (one as NodeJS.ErrnoException).code).find((one) => one !== undefined);
  const message = `${clip(url, 500)}: ${clip(causes.map(messageOf).filter(Boolean).join(': '), 1000)}`;
  if (code !== undefined && unreachable.has(code))
    return toolError('no-server', message, {
      cause: error,
      help: 'Start the server in this sandbox first, and wait until it listens; there is no other network unless the task has one',
    });
  return toolError('failed', message, { cause: error });
}
