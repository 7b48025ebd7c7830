import { existsSync, realpathSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';

/** The replacement made of code-server and Chromium. */
const standIn = join(import.meta.dirname, 'code');

/**
 * The VS Code to test in: the desktop one that `$PWP_VSCODE` names, or the sandbox image's.
 * A launcher such as `/usr/bin/code` returns before the tests end; the program itself lies beside its `bin` folder.
 */
export function vscodeExecutable(wanted: string | undefined): string {
  if (!wanted) return standIn;
  const real = realpathSync(wanted);
  const program = join(dirname(dirname(real)), basename(real));
  return basename(dirname(real)) === 'bin' && existsSync(program) ? program : real;
}
