import { clip } from '../../text/index.ts';
import {
  type CallFrame,
  createCallFrame,
  createProfileError,
  maxFrames,
  type Profile,
  sumTotals,
  walkFrames,
} from './call-tree.ts';

/**
 * Reads a profile in the format of its text, regardless of the file's name.
 * Errors: `bad-profile`, with the expectation and the place.
 */
export function readProfile(text: string): Profile {
  const start = clip(text, 4096).trimStart();
  if (start === '') throw createProfileError('the file is empty');
  if (start.startsWith('{')) return readCpuProfile(text);
  if (start.startsWith('<')) return readFlameGraph(text);
  return readFolded(text);
}

interface ProfileNode {
  readonly id: number;
  readonly children: readonly number[];
  readonly hitCount: number;
  readonly frame: CallFrame;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads what V8's profiler writes (`node --cpu-prof`, Chromium's DevTools). A sample lasts until the next one; without
 * samples, hits are counted.
 */
function readCpuProfile(text: string): Profile {
  const raw = parseProfile(text);
  if (!Array.isArray(raw.nodes) || raw.nodes.length === 0)
    throw createProfileError('JSON without "nodes": it is no .cpuprofile');
  if (raw.nodes.length > maxFrames) throw createProfileError(`the profile has more than ${maxFrames} frames`);
  const nodes = new Map(raw.nodes.map((one, index) => readNode(one, index)).map((node) => [node.id, node]));
  const root = linkNodes(nodes);
  const unit = addTimes(raw, nodes);
  sumTotals(root);
  return { format: 'cpuprofile', unit, root, skipped: 0 };
}

function parseProfile(text: string): Fields {
  try {
    return asFields(JSON.parse(text));
  } catch (cause) {
    throw createProfileError('the file starts like JSON but is not valid JSON', cause);
  }
}

function readNode(value: unknown, index: number): ProfileNode {
  const { id, callFrame, hitCount, children } = asFields(value);
  const call = asFields(callFrame);
  if (typeof id !== 'number' || typeof call.functionName !== 'string')
    throw createProfileError(`nodes[${index}] has no id or no callFrame.functionName`);
  const url = typeof call.url === 'string' && call.url !== '' ? call.url : undefined;
  const line = typeof call.lineNumber === 'number' && call.lineNumber >= 0 ? call.lineNumber + 1 : undefined;
  return {
    id,
    hitCount: typeof hitCount === 'number' ? hitCount : 0,
    children: Array.isArray(children) ? children.filter((one) => typeof one === 'number') : [],
    frame: createCallFrame(call.functionName, {
      ...(url !== undefined && { file: url }),
      ...(line !== undefined && url !== undefined && { line }),
    }),
  };
}

/** Makes the tree; each node has one parent, so that no node is its own caller. */
function linkNodes(nodes: ReadonlyMap<number, ProfileNode>): CallFrame {
  const linked = new Set<number>();
  for (const node of nodes.values()) {
    for (const id of node.children) {
      const child = nodes.get(id);
      if (!child || linked.has(id))
        throw createProfileError(`node ${node.id} names ${id} as its child, which can't be`);
      linked.add(id);
      node.frame.children.push(child.frame);
    }
  }
  const tops = [...nodes.values()].filter(({ id }) => !linked.has(id));
  const [top] = tops;
  if (tops.length !== 1 || !top)
    throw createProfileError(`expected one outermost node, found ${tops.length}`);
  return top.frame;
}

function addTimes(raw: Fields, nodes: ReadonlyMap<number, ProfileNode>): string {
  const { samples, timeDeltas, startTime, endTime } = raw;
  if (!Array.isArray(samples) || !Array.isArray(timeDeltas) || samples.length === 0) {
    for (const { hitCount, frame } of nodes.values()) frame.self += hitCount;
    return 'samples';
  }
  const sum = timeDeltas.reduce((all: number, one) => all + Number(one), 0);
  const last = Math.max(0, Number(endTime) - Number(startTime) - sum) || 0;
  samples.forEach((id: unknown, index) => {
    const node = typeof id === 'number' ? nodes.get(id) : undefined;
    if (!node) throw createProfileError(`samples[${index}] names a node that is not there`);
    // V8 writes microseconds, and now and then a step back.
    const micros = index + 1 < samples.length ? Number(timeDeltas[index + 1]) : last;
    node.frame.self += Math.max(0, micros || 0) / 1000;
  });
  return 'ms';
}

function asFields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}

/** Reads `outer;inner 12`, a stack a line and how many samples it was seen in. */
function readFolded(text: string): Profile {
  const root = createCallFrame('all');
  const below = new Map<CallFrame, Map<string, CallFrame>>();
  let count = 0;
  let skipped = 0;
  const childOf = (parent: CallFrame, name: string): CallFrame => {
    const known = below.get(parent) ?? new Map<string, CallFrame>();
    below.set(parent, known);
    const old = known.get(name);
    if (old) return old;
    if (++count > maxFrames) throw createProfileError(`the profile has more than ${maxFrames} frames`);
    const fresh = parseFrameLabel(name);
    known.set(name, fresh);
    parent.children.push(fresh);
    return fresh;
  };
  for (const line of text.split('\n')) {
    if (line.trim() === '' || line.startsWith('#')) continue;
    const match = /^(.*\S)\s+(\d+(?:\.\d+)?)\s*$/.exec(line);
    if (!match) {
      skipped++;
      continue;
    }
    const leaf = (match[1] ?? '').split(';').reduce(childOf, root);
    leaf.self += Number(match[2]);
  }
  if (root.children.length === 0)
    throw createProfileError('no line is a stack with a count, such as "main;load;parse 12"');
  sumTotals(root);
  return { format: 'folded', unit: 'samples', root, skipped };
}

/** py-spy writes `function (file.py:12)`. */
function parseFrameLabel(label: string): CallFrame {
  const match = /^(.+) \((.+):(\d+)\)$/.exec(label.trim());
  if (!match) return createCallFrame(label.trim());
  return createCallFrame(match[1] ?? '', { file: match[2] ?? '', line: Number(match[3]) });
}

interface DrawnBar {
  readonly frame: CallFrame;
  readonly unit: string;
  readonly from: number;
  readonly to: number;
  readonly row: number;
}

/**
 * Reads a flame graph drawn by flamegraph.pl, inferno or py-spy: the vertical order of bars shows who called whom. The
 * drawing's own script is not run. Bars that were left out for being thin count as their callers' own time.
 */
function readFlameGraph(text: string): Profile {
  const bars = [...text.matchAll(/<g\b[^>]*>\s*<title>([^<]*)<\/title>\s*<rect\b([^>]*)>/g)].flatMap(
    (match) => readBar(match[1] ?? '', match[2] ?? ''),
  );
  if (bars.length === 0)
    throw createProfileError('the SVG has no bars with titles as flame graphs have them');
  if (bars.length > maxFrames) throw createProfileError(`the profile has more than ${maxFrames} frames`);
  const root = stackBars(bars);
  for (const one of walkFrames(root))
    one.self = Math.max(0, one.total - one.children.reduce((sum, { total }) => sum + total, 0));
  return { format: 'flamegraph-svg', unit: bars[0]?.unit ?? 'samples', root, skipped: 0 };
}

function readBar(title: string, attributes: string): DrawnBar[] {
  const match = /^([^]*) \(([\d,.]+) ([^,;)]+)[,;] ?[\d.]+%[^)]*\)$/.exec(decodeEntities(title).trim());
  const number = (name: string) => {
    const found = new RegExp(`\\s${name}="(-?[\\d.]+)%?"`).exec(` ${attributes}`)?.[1];
    return found === undefined ? undefined : Number(found);
  };
  const [row, from, width] = [number('y'), number('fg:x') ?? number('x'), number('fg:w') ?? number('width')];
  if (!match || row === undefined || from === undefined || width === undefined) return [];
  const frame = parseFrameLabel(match[1] ?? '');
  frame.total = Number((match[2] ?? '').replaceAll(',', ''));
  return [{ frame, unit: match[3] ?? 'samples', from, to: from + width, row }];
}

/** Puts each bar below its caller's, and returns the one at the bottom. */
function stackBars(bars: readonly DrawnBar[]): CallFrame {
  const rows = [...new Set(bars.map(({ row }) => row))].sort((a, b) => a - b);
  const onRow = rows.map((row) => bars.filter((bar) => bar.row === row).sort((a, b) => a.from - b.from));
  const width = Math.max(...onRow.map((row) => (row.at(-1)?.to ?? 0) - (row[0]?.from ?? 0)));
  // Flames grow upwards, icicles downwards: the outermost bar is the lowest or the highest.
  const carries = (row: readonly DrawnBar[] | undefined) =>
    row?.length === 1 && row[0] !== undefined && row[0].to - row[0].from >= width * 0.999;
  const [top, bottom] = [onRow[0], onRow.at(-1)];
  const grows = carries(bottom) && !(carries(top) && top?.[0]?.frame.name === 'all');
  if (!grows && !carries(top))
    throw createProfileError('the SVG has no outermost bar that is as wide as all others');
  const ordered = grows ? onRow.reverse() : onRow;
  ordered.slice(1).forEach((row, index) => attachRow(row, ordered[index] ?? []));
  const root = ordered[0]?.[0]?.frame;
  if (!root) throw createProfileError('the SVG has no outermost bar');
  return root;
}

/** Both sorted from left to right, so one walk finds each bar's place. */
function attachRow(row: readonly DrawnBar[], below: readonly DrawnBar[]): void {
  const slack = 0.02;
  let at = 0;
  for (const bar of row) {
    const middle = (bar.from + bar.to) / 2;
    while (at < below.length - 1 && (below[at]?.to ?? 0) < middle - slack) at++;
    const carrier = below[at];
    if (!carrier || carrier.from > middle + slack || carrier.to < middle - slack)
      throw createProfileError(`the bar of ${bar.frame.name} is on no other bar`);
    carrier.frame.children.push(bar.frame);
  }
}

const entities: Readonly<Record<string, string>> = {
  lt: '<',
  gt: '>',
  amp: '&',
  quot: '"',
  apos: "'",
  '#39': "'",
};

function decodeEntities(text: string): string {
  return text.replaceAll(/&(#39|[a-z]+);/g, (whole, name: string) => entities[name] ?? whole);
}
