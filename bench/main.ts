import { parseArgs } from 'node:util';
import { describeError } from '../bridge/lib/index.ts';
import { checkpoint } from './checkpoint.ts';
import { copy } from './copy.ts';
import { effects } from './effects.ts';
import { firstWrong } from './first-wrong.ts';
import { hotpath } from './hotpath.ts';
import { images } from './images.ts';
import { input } from './input.ts';
import { kills } from './kills.ts';
import { labels } from './labels.ts';
import { marks } from './marks.ts';
import { mcp } from './mcp.ts';
import { nodes } from './nodes.ts';
import { pair } from './pair.ts';
import { parallel } from './parallel.ts';
import { peers } from './peers.ts';
import { queue } from './queue.ts';
import { replays } from './replay.ts';
import { screenshot } from './screenshot.ts';
import { serve } from './serve.ts';
import { settle } from './settle.ts';
import { soak } from './soak.ts';
import { study } from './study.ts';
import { tools } from './tools.ts';
import { view } from './view.ts';
import { wire } from './wire.ts';

/**
 * Measurements by name: `npm run bench` runs all of them, `npm run bench -- nodes` one,
 * `npm run bench -- parallel 6` that one with six sandboxes, `npm run bench -- checkpoint --cycles 50 --node docker`
 * that one on a node in Docker, `npm run bench -- tools --only read_file,hover` those tools, and `replay --only
 * vscode/dracula-theme` that task, and `images 5 --only debian:12` that image. `kills`, `queue`, `replay`, `firstWrong`, `soak` and `study` need their names: they take long; so do `pair` and
 * `peers`, which install another project's server.
 */
const benches: Readonly<Record<string, (signal: AbortSignal, count?: number) => Promise<void>>> = {
  copy: (signal, count) => copy(signal, count),
  effects,
  firstWrong: (signal) => firstWrong(signal, values.only?.split(',')),
  hotpath,
  images: (signal, count) => images(signal, count, values.only),
  input,
  kills: (signal, count) => kills(signal, count, nodeOf(values.node)),
  labels,
  marks,
  mcp,
  nodes,
  pair: (signal, count) => pair(signal, count),
  parallel,
  peers: (signal, count) => peers(signal, count),
  queue: (signal) =>
    queue(signal, {
      parts: values.only?.split(',') ?? [],
      ...{
        workers: Number(values.workers),
        parallel: Number(values.parallel),
        attempts: Number(values.attempts),
        ms: Number(values.ms),
        seed: Number(values.seed),
      },
    }),
  replay: (signal) => replays(signal, values.only?.split(',')),
  screenshot,
  serve,
  settle,
  soak: (signal, count) => soak(signal, count, Number(values.minutes)),
  study,
  tools: (signal) => tools(signal, values.only?.split(',')),
  view: (signal, count) => view(signal, count),
  wire,
  checkpoint: (signal) => checkpoint(signal, { cycles: Number(values.cycles), node: nodeOf(values.node) }),
};

const { values, positionals: words } = parseArgs({
  allowPositionals: true,
  options: {
    cycles: { type: 'string', default: '10' },
    node: { type: 'string', default: 'local' },
    only: { type: 'string' },
    minutes: { type: 'string', default: '30' },
    workers: { type: 'string', default: '4' },
    parallel: { type: 'string', default: '5' },
    attempts: { type: 'string', default: '200' },
    ms: { type: 'string', default: '5000' },
    seed: { type: 'string', default: '1' },
  },
});
const nodeOf = (name: string) => (name === 'docker' ? 'docker' : 'local');
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
      if (
        asked.length > 0
          ? !asked.includes(name)
          : ['firstWrong', 'kills', 'pair', 'peers', 'queue', 'replay', 'soak', 'study'].includes(name)
      )
        continue;
      console.log(`\n${name}`);
      await run(stop.signal, count);
    }
  } catch (error) {
    console.error(describeError(error));
    process.exitCode = 1;
  }
}
