import * as z from 'zod';
import { tool } from './descriptor.ts';
import { pathIn, pathOut } from './shared.ts';

const text = z.string().max(10_000);
const time = z.number().nonnegative();
const percent = z.number().min(0).max(100.1).describe('of the whole run');

const called = {
  name: text,
  file: text.nullable().describe('null where the profile has none'),
  line: z.int().nullable(),
  self: time.describe("in the function's own code, in `unit`"),
  self_percent: percent,
  total: time.describe('with all that it called, in `unit`'),
  total_percent: percent,
};

const functionTime = z.object({
  ...called,
  calls: z.int().describe('places of the call tree where it occurs'),
});
const flameFrame = z.object({ depth: z.int().describe('1 for the outermost calls'), ...called });

const input = {
  path: pathIn,
  sort: z.enum(['self', 'total']).default('self').describe('what the functions are ordered by'),
  query: z.string().max(500).default('').describe('functions whose name or file has this text alone'),
  limit: z.int().min(1).max(500).default(25).describe('functions of the answer'),
  flame_limit: z.int().min(0).max(1000).default(100).describe('frames of the flame data; 0 for none'),
  min_percent: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .describe('frames of the flame data that took less of the run are left out'),
};

const output = {
  path: pathOut,
  format: z.enum(['cpuprofile', 'folded', 'flamegraph-svg']),
  unit: text.describe('what times are counted in: ms, or samples'),
  total: time.describe('the whole run'),
  depth: z.int().describe('frames of the deepest stack'),
  functions: z.array(functionTime).max(500),
  function_count: z.int().describe('functions that fit the query'),
  flame: z.array(flameFrame).max(1000).describe('the call tree, each caller before what it called'),
  truncated: z.boolean().describe('functions or frames were left out for a limit'),
};

type Summary = z.output<z.ZodObject<typeof output>>;

/** CPU profiles: `.cpuprofile`, folded stacks, flame graphs as SVG. */
export const profileTools = {
  profileSummary: tool({
    name: 'profile_summary',
    title: 'Summarise a CPU profile',
    description:
      'Reads a CPU profile (.cpuprofile, folded stacks as "a;b;c 12", or a flame graph as SVG by flamegraph.pl, inferno or py-spy) and gives the top functions by self or total time, and the call tree as flame data. A function that calls itself is counted once in its total.',
    family: 'profile',
    where: 'extension',
    readOnly: true,
    sources: [],
    input: z.strictObject(input),
    output: z.object(output),
    text: summaryText,
  }),
  openProfile: tool({
    name: 'open_profile',
    title: 'Open a CPU profile',
    description:
      'Opens a CPU profile in the flame-graph view of the IDE, where the person beside you sees it, too, and gives the same summary as profile_summary.',
    family: 'profile',
    where: 'extension',
    readOnly: false,
    sources: [],
    input: z.strictObject(input),
    output: z.object(output),
    text: summaryText,
    effect: ({ path }) => ({ effect: 'confirmed', evidence: `${path} is shown as a flame graph` }),
  }),
};

function summaryText({ path, unit, total, functions, function_count, flame, truncated }: Summary): string {
  const round = (value: number) => Number(value.toFixed(2));
  const of = (value: number, part: number) => `${round(value)} (${part.toFixed(1)} %)`;
  return [
    `${path}: ${round(total)} ${unit}, ${function_count} functions${truncated ? ', not all are listed' : ''}`,
    ...functions.map(
      (one) =>
        `${one.name}: self ${of(one.self, one.self_percent)}, total ${of(one.total, one.total_percent)}`,
    ),
    ...(flame.length > 0 ? ['', 'Flame data:'] : []),
    ...flame.map(
      (one) => `${'  '.repeat(Math.min(one.depth, 40))}${one.name} ${of(one.total, one.total_percent)}`,
    ),
  ].join('\n');
}
