#!/usr/bin/env node
// `pwp` as npm links it. Committed, because npx links the program of a clone once, and that may be before it is built.
import { existsSync } from 'node:fs';

const program = new URL('../dist/pwp.js', import.meta.url);
if (existsSync(program)) await import(program.href);
else {
  process.stderr.write(
    'pwp: this clone is not set up yet: run `npm run demo`, or `npm run build` for the command line alone\n',
  );
  process.exitCode = 1;
}
