import { addUp, badProfile, frame, maxFrames, type Frame, type Profile } from './model.ts';

interface Node {
  readonly id: number;
  readonly children: readonly number[];
  readonly hitCount: number;
  readonly frame: Frame;
}

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads what V8's profiler writes (`node --cpu-prof`, Chromium's DevTools). A sample lasts until the next one; without
 * samples, hits are counted.
 */
export function readCpuProfile(text: string): Profile {
  const raw = parsed(text);
  if (!Array.isArray(raw.nodes) || raw.nodes.length === 0)
    throw badProfile('JSON without "nodes": it is no .cpuprofile');
  if (raw.nodes.length > maxFrames) throw badProfile(`the profile has more than ${maxFrames} frames`);
  const nodes = new Map(raw.nodes.map((one, index) => readNode(one, index)).map((node) => [node.id, node]));
  const root = link(nodes);
  const unit = addTimes(raw, nodes);
  addUp(root);
  return { format: 'cpuprofile', unit, root, skipped: 0 };
}

function parsed(text: string): Fields {
  try {
    return fields(JSON.parse(text));
  } catch (cause) {
    throw badProfile('the file starts like JSON but is not valid JSON', cause);
  }
}

function readNode(value: unknown, index: number): Node {
  const { id, callFrame, hitCount, children } = fields(value);
  const call = fields(callFrame);
  if (typeof id !== 'number' || typeof call.functionName !== 'string')
    throw badProfile(`nodes[${index}] has no id or no callFrame.functionName`);
  const url = typeof call.url === 'string' && call.url !== '' ? call.url : undefined;
  const line = typeof call.lineNumber === 'number' && call.lineNumber >= 0 ? call.lineNumber + 1 : undefined;
  return {
    id,
    hitCount: typeof hitCount === 'number' ? hitCount : 0,
    children: Array.isArray(children) ? children.filter((one) => typeof one === 'number') : [],
    frame: frame(call.functionName, {
      ...(url !== undefined && { file: url }),
      ...(line !== undefined && url !== undefined && { line }),
    }),
  };
}

/** Makes the tree; each node has one parent, so that no node is its own caller. */
function link(nodes: ReadonlyMap<number, Node>): Frame {
  const linked = new Set<number>();
  for (const node of nodes.values()) {
    for (const id of node.children) {
      const child = nodes.get(id);
      if (!child || linked.has(id))
        throw badProfile(`node ${node.id} names ${id} as its child, which can't be`);
      linked.add(id);
      node.frame.children.push(child.frame);
    }
  }
  const tops = [...nodes.values()].filter(({ id }) => !linked.has(id));
  const [top] = tops;
  if (tops.length !== 1 || !top) throw badProfile(`expected one outermost node, found ${tops.length}`);
  return top.frame;
}

function addTimes(raw: Fields, nodes: ReadonlyMap<number, Node>): string {
  const { samples, timeDeltas, startTime, endTime } = raw;
  if (!Array.isArray(samples) || !Array.isArray(timeDeltas) || samples.length === 0) {
    for (const { hitCount, frame } of nodes.values()) frame.self += hitCount;
    return 'samples';
  }
  const sum = timeDeltas.reduce((all: number, one) => all + Number(one), 0);
  const last = Math.max(0, Number(endTime) - Number(startTime) - sum) || 0;
  samples.forEach((id: unknown, index) => {
    const node = typeof id === 'number' ? nodes.get(id) : undefined;
    if (!node) throw badProfile(`samples[${index}] names a node that is not there`);
    // V8 writes microseconds, and now and then a step back.
    const micros = index + 1 < samples.length ? Number(timeDeltas[index + 1]) : last;
    node.frame.self += Math.max(0, micros || 0) / 1000;
  });
  return 'ms';
}

function fields(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {};
}
