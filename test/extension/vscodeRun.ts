import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { runTests } from '@vscode/test-electron';
import { build } from 'esbuild';
import { packageFolder } from '../../host/lib/index.ts';
import { vscodeExecutable } from '../support/vscode/executable.ts';
import { readResult, resultVariable, type TestOutcome } from '../support/vscode/result.ts';
import { layOut } from './workspace.ts';

export interface VscodeRun {
  /** Folder in `suite/` whose `index.ts` VS Code runs. */
  readonly suite: string;
  /** The path that the window opens, relative to the folder that workspace.ts fills. */
  readonly target: string;
  /** Root of the file system with code-server and Chromium, if no desktop VS Code is used. */
  readonly rootfs: string | undefined;
}

/** Runs one suite in a separate VS Code. Rejects with VS Code's output if the suite never finished. */
export async function runInVscode({ suite, target, rootfs }: VscodeRun): Promise<readonly TestOutcome[]> {
  const folder = await mkdtemp(join(tmpdir(), 'pwp-ext-'));
  const result = join(folder, 'result.json');
  const output = new Collected();
  // When interrupted, @vscode/test-electron ends the process at once.
  const remove = () => rmSync(folder, { recursive: true, force: true });
  process.once('exit', remove);
  try {
    await layOut(folder);
    await runTests({
      vscodeExecutablePath: vscodeExecutable(process.env.PWP_VSCODE),
      extensionDevelopmentPath: join(packageFolder(), 'dist/extension'),
      extensionTestsPath: await bundleSuite(suite, folder),
      launchArgs: launchArgs(folder, target),
      extensionTestsEnv: {
        [resultVariable]: result,
        PWP_SOCKET_DIR: join(folder, 'sockets'),
        PWP_TEST_ROOTFS: rootfs,
        ELECTRON_RUN_AS_NODE: undefined,
      },
      stdout: output,
      stderr: output,
    }).catch((error: unknown) => output.write(`${String(error)}\n`));
    return (await readResult(result)) ?? fail(suite, `${output.text}${await logOf(folder)}`);
  } finally {
    process.off('exit', remove);
    remove();
  }
}

/** VS Code loads CommonJS; mocha is not bundled, so it is found through a link to this package's modules. */
async function bundleSuite(suite: string, folder: string): Promise<string> {
  const outfile = join(folder, 'suite/index.cjs');
  await mkdir(join(folder, 'suite'));
  await symlink(join(packageFolder(), 'node_modules'), join(folder, 'node_modules'));
  await build({
    entryPoints: [join(import.meta.dirname, 'suite', suite, 'index.ts')],
    outfile,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node22',
    external: ['vscode', 'mocha'],
    sourcemap: 'inline',
    logLevel: 'error',
  });
  return outfile;
}

function launchArgs(folder: string, target: string): string[] {
  return [
    join(folder, target),
    `--user-data-dir=${join(folder, 'user')}`,
    `--extensions-dir=${join(folder, 'extensions')}`,
  ];
}

async function logOf(folder: string): Promise<string> {
  const log = await readFile(join(folder, 'user/code-server.log'), 'utf8').catch(() => '');
  return log.slice(-4000);
}

function fail(suite: string, output: string): never {
  throw new Error(`the suite ${suite} never came to its end in VS Code:\n${output}`);
}

/** The output only matters when something goes wrong. */
class Collected extends Writable {
  text = '';

  override _write(chunk: Buffer, _encoding: string, done: () => void): void {
    this.text += chunk.toString('utf8');
    done();
  }
}
