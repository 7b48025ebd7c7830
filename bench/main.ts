import { messageOf } from '../bridge/lib/index.ts';
import { hotpath } from './hotpath.ts';
import { marks } from './marks.ts';
import { parallel } from './parallel.ts';

/**
 * Measurements by name: `npm run bench` runs all of them, `npm run bench -- hotpath` one,
 * `npm run bench -- parallel 6` that one with six sandboxes.
 */
const benches: Readonly<Record<string, (signal: AbortSignal, count?: number) => Promise<void>>> = {
  hotpath,
  marks,
  parallel,
};

const words = process.argv.slice(2);
const isCount = (word: string) => /^[1-9]\d{0,2}$/.test(word);
const asked = words.filter((word) => !isCount(word));
const count = words.filter(isCount).map(Number).at(0);
const unknown = asked.find((name) => !Object.hasOwn(benches, name));
const stop = new AbortController();
for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => stop.abort(new Error(name)));

if (unknown !== undefined) {
  console.error(`There is no bench '${unknown}': ${Object.keys(benches).join(', ')}.`);
  process.exitCode = 2;
} else {
  try {
    for (const [name, run] of Object.entries(benches)) {
      if (asked.length > 0 && !asked.includes(name)) continue;
      console.log(`\n${name}`);
      await run(stop.signal, count);
    }
  } catch (error) {
    console.error(messageOf(error));
    process.exitCode = 1;
  }
}
