import { createInterface } from 'node:readline/promises';
import { PwpError, type PwpErrorCode } from '../../bridge/lib/index.ts';

export interface Question {
  /** The pending change, as one sentence. */
  readonly what: string;
  /** Code of the error if there is no terminal to ask at. */
  readonly code: PwpErrorCode;
  readonly help: string;
}

/** Asks a person at a terminal. Errors: `code` if there is no terminal; `cancelled` for any answer but yes. */
export async function confirm({ what, code, help }: Question, signal: AbortSignal): Promise<void> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) throw new PwpError(code, what, { help });
  using terminal = createInterface({ input: process.stdin, output: process.stderr });
  const answer = await terminal.question(`${what}. Continue? [y/N] `, { signal });
  if (!/^y(es)?$/i.test(answer.trim())) throw new PwpError('cancelled', 'nothing was changed');
}
