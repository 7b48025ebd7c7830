import * as z from 'zod';
import { defineTool, pathArgument, resultPath } from './tool.ts';

const profileText = z.string().max(10_000);
const profileTime = z.number().nonnegative();
const percent = z.number().min(0).max(100.1).describe('of the whole run');

const callCount = {
  name: profileText,
  file: profileText.nullable().describe('null if the profile has none'),
  line: z.int().nullable(),
  self: profileTime.describe("in the function's own code, in `unit`"),
  self_percent: percent,
  total: profileTime.describe('including all functions it called, in `unit`'),
  total_percent: percent,
};

const functionTime = z.object({
  ...callCount,
  calls: z.int().describe('number of places in the call tree where it occurs'),
});
const flameFrame = z.object({ depth: z.int().describe('1 for the outermost calls'), ...callCount });

const profileInput = {
  path: pathArgument,
  sort: z.enum(['self', 'total']).default('self').describe('the order of the functions'),
  query: z.string().max(500).default('').describe('only functions whose name or file contains this text'),
  limit: z.int().min(1).max(500).default(25).describe('maximum number of functions'),
  flame_limit: z
    .int()
    .min(0)
    .max(1000)
    .default(100)
    .describe('maximum number of frames of the flame data; 0 for none'),
  min_percent: z
    .number()
    .min(0)
    .max(100)
    .default(1)
    .describe('leave out frames of the flame data that took a smaller share of the run'),
};

const profileOutput = {
  path: resultPath,
  format: z.enum(['cpuprofile', 'folded', 'flamegraph-svg']),
  unit: profileText.describe('unit of times: ms, or samples'),
  total: profileTime.describe('the whole run'),
  depth: z.int().describe('number of frames of the deepest stack'),
  functions: z.array(functionTime).max(500),
  function_count: z.int().describe('number of functions that match the query'),
  flame: z.array(flameFrame).max(1000).describe('the call tree, each caller before what it called'),
  truncated: z.boolean().describe('a limit left out functions or frames'),
};

type ProfileSummary = z.output<z.ZodObject<typeof profileOutput>>;

/** CPU profiles: `.cpuprofile`, folded stacks, flame graphs as SVG. */
export const profileTools = {
  profileSummary: defineTool({
    name: 'profile_summary',
    title: 'Summarise a CPU profile',
    description:
      'Reads a CPU profile (.cpuprofile, folded stacks as "a;b;c 12", or an SVG flame graph of flamegraph.pl, inferno or py-spy) and returns the top functions by self or total time, and the call tree as flame data. A recursive function is counted once in its total.',
    family: 'profile',
    where: 'extension',
    readOnly: true,
    sources: [],
    input: z.strictObject(profileInput),
    output: z.object(profileOutput),
    text: renderProfileSummary,
  }),
  openProfile: defineTool({
    name: 'open_profile',
    title: 'Open a CPU profile',
    description:
      'Opens a CPU profile as a flame graph in the IDE, where people see it too, and returns the same summary as profile_summary.',
    family: 'profile',
    where: 'extension',
    readOnly: false,
    sources: [],
    input: z.strictObject(profileInput),
    output: z.object(profileOutput),
    text: renderProfileSummary,
    effect: ({ path }) => ({ effect: 'confirmed', evidence: `${path} is shown as a flame graph` }),
  }),
};

function renderProfileSummary({
  path,
  unit,
  total,
  functions,
  function_count,
  flame,
  truncated,
}: ProfileSummary): string {
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
