import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

// `pwp` itself: runs the program in this Node if it is new enough, else in the one that came with the package. So this
// file may use only what Node 18 has.

/** As package.json says. */
const needed = [22, 15] as const;

/** The program, next to this file. A variable, so that no bundler includes it here. */
const program = './cli.js';

// Otherwise this signal, which any process of this user can send, opens a debugger that runs any code.
process.on('SIGUSR1', () => undefined);

if (isEnough(process.versions.node)) {
  keepCompiled();
  await import(program);
} else runInOwnNode();

/** Keeps what V8 compiles, so that the next start need not: it is a fifth of it. Where this can't be written, nothing is. */
function keepCompiled(): void {
  module.enableCompileCache(fileURLToPath(new URL('.compile-cache', import.meta.url)));
}

function isEnough(version: string): boolean {
  const [major = 0, minor = 0] = version.split('.').map(Number);
  return major > needed[0] || (major === needed[0] && minor >= needed[1]);
}

function runInOwnNode(): void {
  const node = ownNode();
  if (node === undefined) {
    process.stderr.write(
      `pwp: Node.js ${needed.join('.')} or newer is needed, this is ${process.version}: install it, or this package again without --omit=optional and --ignore-scripts.\n`,
    );
    process.exitCode = 1;
    return;
  }
  const [, script = '', ...args] = process.argv;
  const child = spawn(node, ['--disable-sigusr1', script, ...args], { stdio: 'inherit' });
  // A terminal sends Ctrl-C to both; other programs send what they send to this process alone.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  process.on('SIGHUP', () => child.kill('SIGHUP'));
  child.on('error', (error) => {
    process.stderr.write(`pwp: can't start ${node}: ${error.message}\n`);
    process.exitCode = 1;
  });
  child.on('exit', (code, signal) => {
    if (signal === null) process.exitCode = code ?? 1;
    else process.exitCode = signal === 'SIGINT' ? 130 : 143;
  });
}

/** Path of the Node in npm's package `node`; undefined if it is not installed. */
function ownNode(): string | undefined {
  try {
    const require = createRequire(import.meta.url);
    const manifest = require.resolve('node/package.json');
    const { bin } = require(manifest) as { readonly bin: { readonly node: string } };
    const node = join(dirname(manifest), bin.node);
    // Without its install script the package holds no program.
    return existsSync(node) ? node : undefined;
  } catch {
    return undefined;
  }
}
