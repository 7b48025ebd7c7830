// Profiles of programs that never ran: stacks with counts, and the three formats that profilers write.

/** Functions of a made-up program, more than any of the tasks needs. */
export const functions = [
  'Loader.open', 'Loader.read_block', 'Loader.close', 'parse_header', 'parse_rows', 'split_fields', 'to_number',
  'Schema.check', 'Schema.coerce', 'Index.insert', 'Index.rehash', 'Index.lookup', 'hash_key', 'compare_keys',
  'sort_rows', 'merge_runs', 'Cache.get', 'Cache.put', 'Cache.evict', 'Query.plan', 'Query.execute', 'Query.filter',
  'join_tables', 'group_rows', 'Aggregate.add', 'Aggregate.result', 'render_page', 'Template.fill', 'escape_html',
  'format_date', 'Encoder.write', 'Encoder.flush', 'compress', 'checksum', 'Log.write', 'Log.rotate', 'decode_utf8',
  'Regex.match', 'Pool.acquire', 'Pool.release',
]; // prettier-ignore

/** @typedef {{ frames: string[], count: number }} Stack */

/** Stacks as `main;run;work 12`. */
export function folded(stacks) {
  return stacks.map(({ frames, count }) => `${frames.join(';')} ${count}\n`).join('');
}

/** Stacks as Node and Chromium write them, a sample every millisecond. */
export function cpuProfile(stacks, random) {
  const nodes = [];
  const add = (name) => {
    const node = { id: nodes.length + 1, callFrame: callFrame(name), hitCount: 0, children: [] };
    nodes.push(node);
    return node;
  };
  const root = add('(root)');
  const samples = [];
  for (const { frames, count } of stacks) {
    let node = root;
    for (const name of frames) {
      const known = node.children
        .map((id) => nodes[id - 1])
        .find((one) => one.callFrame.functionName === name);
      const next = known ?? add(name);
      if (!known) node.children.push(next.id);
      node = next;
    }
    node.hitCount += count;
    for (let index = 0; index < count; index++) samples.push(node.id);
  }
  const startTime = 1_000_000 * random.int(1000, 9000);
  const timeDeltas = samples.map(() => 1000);
  const endTime = startTime + 1000 * (samples.length + 1);
  return `${JSON.stringify({ nodes, startTime, endTime, samples, timeDeltas })}\n`;
}

function callFrame(functionName) {
  const isOwn = functionName !== '(root)';
  const index = functions.indexOf(functionName);
  return {
    functionName,
    scriptId: isOwn ? '12' : '0',
    url: isOwn ? 'file:///srv/app/service.js' : '',
    lineNumber: isOwn ? 20 + 17 * Math.max(0, index) : -1,
    columnNumber: isOwn ? 2 : -1,
  };
}

/**
 * Stacks as a flame graph. `flames` grow upwards, as flamegraph.pl draws them; `icicles` hang down, as py-spy does.
 */
export function flameGraph(stacks, direction) {
  const rows = layOut(stacks);
  const depth = Math.max(...rows.map((bar) => bar.depth));
  const [all] = rows;
  const scale = 1180 / all.count;
  const bars = rows.map(({ name, from, count, depth: at }) => {
    const y = direction === 'flames' ? 40 + 16 * (depth - at) : 40 + 16 * at;
    const percent = ((100 * count) / all.count).toFixed(2);
    const title = `${escape(name)} (${count.toLocaleString('en-US')} samples, ${percent}%)`;
    const rect = `x="${(10 + from * scale).toFixed(4)}" y="${y}" width="${(count * scale).toFixed(4)}" height="15.0"`;
    return `<g><title>${title}</title><rect ${rect} fill="rgb(${220 + (y % 30)},${90 + (from % 90)},40)"/></g>`;
  });
  const height = 80 + 16 * (depth + 1);
  return `<?xml version="1.0" standalone="no"?>
<svg version="1.1" width="1200" height="${height}" viewBox="0 0 1200 ${height}" xmlns="http://www.w3.org/2000/svg">
<rect x="0" y="0" width="100%" height="100%" fill="#eeeeee"/>
${bars.join('\n')}
</svg>
`;
}

/** Bars, the outermost first; what has the same callers lies together, by name. */
function layOut(stacks) {
  const bars = [];
  const place = (name, inner, from, depth) => {
    const count = inner.reduce((sum, stack) => sum + stack.count, 0);
    bars.push({ name, from, count, depth });
    const names = [
      ...new Set(inner.filter(({ frames }) => frames.length > 0).map(({ frames }) => frames[0])),
    ].sort();
    let at = from;
    for (const next of names) {
      const below = inner.filter(({ frames }) => frames[0] === next);
      place(
        next,
        below.map(({ frames, count: one }) => ({ frames: frames.slice(1), count: one })),
        at,
        depth + 1,
      );
      at += below.reduce((sum, stack) => sum + stack.count, 0);
    }
  };
  place('all', stacks, 0, 0);
  return bars;
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Samples with each function on top. */
export function selfCounts(stacks) {
  return sums(stacks, ({ frames }) => frames.slice(-1));
}

/** Samples with each function anywhere on the stack, once each. */
export function totalCounts(stacks) {
  return sums(stacks, ({ frames }) => [...new Set(frames)]);
}

export function allCount(stacks) {
  return stacks.reduce((sum, { count }) => sum + count, 0);
}

function sums(stacks, namesOf) {
  const counts = new Map();
  for (const stack of stacks)
    for (const name of namesOf(stack)) counts.set(name, (counts.get(name) ?? 0) + stack.count);
  return counts;
}

/** Stacks below `main;serve` that wander through functions, none of them twice, and end at `tip` where it is given. */
export function wander(random, names, { least, most, tip }) {
  const length = random.int(least, most) - 2 - (tip === undefined ? 0 : 1);
  const inner = random.sample(
    names.filter((name) => name !== tip),
    length,
  );
  return ['main', 'serve', ...inner, ...(tip === undefined ? [] : [tip])];
}
