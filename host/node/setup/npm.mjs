// Installs the npm packages when package-lock.json has changed since the last time. Plain JavaScript without packages:
// it runs in a fresh clone, on any Node (20 or later) that the machine has.
import { createHash } from 'node:crypto';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const stamp = `${root}node_modules/.pwp-lock`;
const lock = readFileSync(`${root}package-lock.json`);
const wanted = createHash('sha256').update(lock).digest('hex');

if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
  console.error('Installing npm packages');
  // Said here, so that a person's own npm settings don't decide what is installed.
  const options = [
    '--include=dev',
    '--include=optional',
    '--ignore-scripts=false',
    '--no-audit',
    '--no-fund',
  ];
  const { status, error } = spawnSync('npm', ['ci', ...options, '--loglevel=error'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
    // On Windows npm is a script.
    shell: process.platform === 'win32',
  });
  if (status !== 0) {
    console.error(`npm ci failed${error ? `: ${error.message}` : ''}`);
    process.exit(status || 1);
  }
  writeFileSync(stamp, wanted);
}
