import type { AgentFiles } from './agent-files.ts';
import { type Check, failed, passed } from './check-result.ts';
import { type Arrow, type Diagram, readDrawio, type Shape } from './drawio.ts';

/**
 * A `.drawio` file shows the same as the expected one: the same shapes with the same labels, the same arrows, and
 * roughly the same layout. Colours, sizes and how it is saved don't count. Throws if the expected text isn't a diagram.
 */
export async function diagramMatches(files: AgentFiles, path: string, expected: string): Promise<Check[]> {
  const wanted = readDrawio(expected);
  if ('why' in wanted) throw new Error(`the expected diagram ${wanted.why}`);
  const read = await files.read(path);
  if (read.kind !== 'read') return [failed(path, read.why)];
  const drawn = readDrawio(read.bytes.toString('utf8'));
  if ('why' in drawn) return [failed(path, drawn.why)];
  return matchDiagrams(drawn.diagram, wanted.diagram);
}

/** Ways to pair shapes that look the same are tried up to this number. */
const mostPairings = 5000;

/** Which shape corresponds to which: ids of the expected diagram to ids of the one that was drawn. */
type Pairing = ReadonlyMap<string, string>;

/** Compares what two diagrams say: shapes with kind and label, arrows with direction and label, and coarsely the layout. */
export function matchDiagrams(drawn: Diagram, expected: Diagram): Check[] {
  const shapes = matchShapes(drawn.shapes, expected.shapes);
  if (!shapes.passed) return [shapes];
  const pairing = findBestPairing(drawn, expected);
  return [shapes, matchArrows(drawn, expected, pairing), matchLayout(drawn.shapes, expected.shapes, pairing)];
}

function describeLooks({ kind, label }: Shape): string {
  return `${kind} "${label}"`;
}

function matchShapes(drawn: readonly Shape[], expected: readonly Shape[]): Check {
  const { missing, extra } = compareKeys(drawn.map(describeLooks), expected.map(describeLooks));
  return toCheck('shapes', `${expected.length} shapes with their labels`, missing, extra);
}

function matchArrows(drawn: Diagram, expected: Diagram, pairing: Pairing): Check {
  const labels = new Map(drawn.shapes.map((shape) => [shape.id, describeLooks(shape)]));
  const name = (id: string | undefined) => (id === undefined ? 'nothing' : (labels.get(id) ?? 'nothing'));
  const words = (key: string) => {
    const [heads = '', from, to, label = ''] = JSON.parse(key) as string[];
    const join = heads === 'to' ? 'to' : heads === 'both' ? 'to and from' : 'and without a head,';
    return `from ${name(from)} ${join} ${name(to)}${label === '' ? '' : `, "${label}"`}`;
  };
  const { missing, extra } = compareKeys(listArrowKeys(drawn), listArrowKeys(expected, pairing));
  return toCheck(
    'arrows',
    `${expected.arrows.length} arrows with their labels`,
    missing.map(words),
    extra.map(words),
  );
}

/** Arrows in words that can be compared: without direction, the ends have no order. */
function listArrowKeys({ arrows }: Diagram, pairing?: Pairing): string[] {
  const end = (id: string | undefined) => (id === undefined ? '' : ((pairing ? pairing.get(id) : id) ?? ''));
  return arrows.map(({ from, to, label, heads }: Arrow) => {
    const ends = [end(from), end(to)];
    return JSON.stringify([heads, ...(heads === 'to' ? ends : ends.sort()), label]);
  });
}

function compareKeys(found: readonly string[], expected: readonly string[]) {
  const missing = [...expected];
  const extra = found.filter((one) => {
    const at = missing.indexOf(one);
    if (at >= 0) missing.splice(at, 1);
    return at < 0;
  });
  return { missing, extra };
}

function toCheck(name: string, all: string, missing: readonly string[], extra: readonly string[]): Check {
  if (missing.length === 0 && extra.length === 0) return passed(name, `has the ${all}`);
  const parts = [
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    ...(extra.length > 0 ? [`unexpected: ${extra.join(', ')}`] : []),
  ];
  return failed(name, parts.join('; '));
}

/** Shapes that look the same are distinguished by their arrows. */
function findBestPairing(drawn: Diagram, expected: Diagram): Pairing {
  const found = new Set(listArrowKeys(drawn));
  let best: { pairing: Pairing; hits: number } = { pairing: new Map(), hits: -1 };
  let tried = 0;
  for (const pairing of listPairings(drawn.shapes, expected.shapes)) {
    const hits = listArrowKeys(expected, pairing).filter((key) => found.has(key)).length;
    if (hits > best.hits) best = { pairing, hits };
    if (hits === expected.arrows.length || ++tried >= mostPairings) break;
  }
  return best.pairing;
}

/** Every way to pair shapes that look the same, one after another. */
function* listPairings(drawn: readonly Shape[], expected: readonly Shape[]): Generator<Pairing> {
  const [first, ...others] = expected;
  if (!first) {
    yield new Map();
    return;
  }
  for (const one of drawn.filter((shape) => describeLooks(shape) === describeLooks(first))) {
    const left = drawn.filter((shape) => shape !== one);
    for (const rest of listPairings(left, others)) yield new Map([[first.id, one.id], ...rest]);
  }
}

/** Shares of the expected diagram's size: closer ones have no order that counts. */
const leastDistance = 0.2;
/** Share of the pairs that have an order. */
const enoughShare = 0.9;

/** A shape that is clearly left of or above another one is so in the drawn diagram, too. */
function matchLayout(drawn: readonly Shape[], expected: readonly Shape[], pairing: Pairing): Check {
  const byId = new Map(drawn.map((shape) => [shape.id, shape]));
  const twin = (shape: Shape) => byId.get(pairing.get(shape.id) ?? '') ?? shape;
  const wrong: string[] = [];
  let pairs = 0;
  for (const axis of ['x', 'y'] as const) {
    const places = expected.map((shape) => shape[axis]);
    const least = leastDistance * (Math.max(...places) - Math.min(...places));
    for (const [index, one] of expected.entries()) {
      for (const other of expected.slice(index + 1)) {
        const [first, second] = one[axis] < other[axis] ? [one, other] : [other, one];
        if (second[axis] - first[axis] <= Math.max(least, 1)) continue;
        pairs++;
        if (twin(first)[axis] < twin(second)[axis]) continue;
        wrong.push(
          `${describeLooks(first)} is not ${axis === 'x' ? 'left of' : 'above'} ${describeLooks(second)}`,
        );
      }
    }
  }
  if (pairs - wrong.length >= enoughShare * pairs)
    return passed('layout', `${pairs - wrong.length} of ${pairs} pairs lie as expected`);
  return failed('layout', `${wrong.length} of ${pairs} pairs lie otherwise: ${wrong.slice(0, 5).join(', ')}`);
}
