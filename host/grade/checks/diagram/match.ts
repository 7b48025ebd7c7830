import type { Check } from '../check.ts';
import { failed, passed } from '../check.ts';
import type { Arrow, Diagram, Shape } from './diagram.ts';

/** Ways to pair shapes that look the same are tried up to this number. */
const maxPairings = 5000;

/** Which shape corresponds to which: ids of the expected diagram to ids of the one that was drawn. */
type Pairing = ReadonlyMap<string, string>;

/** Compares what two diagrams say: shapes with kind and label, arrows with direction and label, and coarsely the layout. */
export function matchDiagrams(drawn: Diagram, expected: Diagram): Check[] {
  const shapes = matchShapes(drawn.shapes, expected.shapes);
  if (!shapes.passed) return [shapes];
  const pairing = bestPairing(drawn, expected);
  return [shapes, matchArrows(drawn, expected, pairing), matchLayout(drawn.shapes, expected.shapes, pairing)];
}

function looks({ kind, label }: Shape): string {
  return `${kind} "${label}"`;
}

function matchShapes(drawn: readonly Shape[], expected: readonly Shape[]): Check {
  const { missing, extra } = difference(drawn.map(looks), expected.map(looks));
  return verdict('shapes', `${expected.length} shapes with their labels`, missing, extra);
}

function matchArrows(drawn: Diagram, expected: Diagram, pairing: Pairing): Check {
  const labels = new Map(drawn.shapes.map((shape) => [shape.id, looks(shape)]));
  const name = (id: string | undefined) => (id === undefined ? 'nothing' : (labels.get(id) ?? 'nothing'));
  const words = (key: string) => {
    const [heads = '', from, to, label = ''] = JSON.parse(key) as string[];
    const join = heads === 'to' ? 'to' : heads === 'both' ? 'to and from' : 'and without a head,';
    return `from ${name(from)} ${join} ${name(to)}${label === '' ? '' : `, "${label}"`}`;
  };
  const { missing, extra } = difference(arrowKeys(drawn), arrowKeys(expected, pairing));
  return verdict(
    'arrows',
    `${expected.arrows.length} arrows with their labels`,
    missing.map(words),
    extra.map(words),
  );
}

/** Arrows in words that can be compared: without direction, the ends have no order. */
function arrowKeys({ arrows }: Diagram, pairing?: Pairing): string[] {
  const end = (id: string | undefined) => (id === undefined ? '' : ((pairing ? pairing.get(id) : id) ?? ''));
  return arrows.map(({ from, to, label, heads }: Arrow) => {
    const ends = [end(from), end(to)];
    return JSON.stringify([heads, ...(heads === 'to' ? ends : ends.sort()), label]);
  });
}

function difference(found: readonly string[], expected: readonly string[]) {
  const missing = [...expected];
  const extra = found.filter((one) => {
    const at = missing.indexOf(one);
    if (at >= 0) missing.splice(at, 1);
    return at < 0;
  });
  return { missing, extra };
}

function verdict(name: string, all: string, missing: readonly string[], extra: readonly string[]): Check {
  if (missing.length === 0 && extra.length === 0) return passed(name, `has the ${all}`);
  const parts = [
    ...(missing.length > 0 ? [`missing: ${missing.join(', ')}`] : []),
    ...(extra.length > 0 ? [`unexpected: ${extra.join(', ')}`] : []),
  ];
  return failed(name, parts.join('; '));
}

/** Shapes that look the same are distinguished by their arrows. */
function bestPairing(drawn: Diagram, expected: Diagram): Pairing {
  const found = new Set(arrowKeys(drawn));
  let best: { pairing: Pairing; hits: number } = { pairing: new Map(), hits: -1 };
  let tried = 0;
  for (const pairing of pairings(drawn.shapes, expected.shapes)) {
    const hits = arrowKeys(expected, pairing).filter((key) => found.has(key)).length;
    if (hits > best.hits) best = { pairing, hits };
    if (hits === expected.arrows.length || ++tried >= maxPairings) break;
  }
  return best.pairing;
}

/** Every way to pair shapes that look the same, one after another. */
function* pairings(drawn: readonly Shape[], expected: readonly Shape[]): Generator<Pairing> {
  const [first, ...others] = expected;
  if (!first) {
    yield new Map();
    return;
  }
  for (const one of drawn.filter((shape) => looks(shape) === looks(first))) {
    const left = drawn.filter((shape) => shape !== one);
    for (const rest of pairings(left, others)) yield new Map([[first.id, one.id], ...rest]);
  }
}

/** Shares of the expected diagram's size: closer ones have no order that counts. */
const apart = 0.2;
/** Share of the pairs that have an order. */
const enough = 0.9;

/** A shape that is clearly left of or above another one is so in the drawn diagram, too. */
function matchLayout(drawn: readonly Shape[], expected: readonly Shape[], pairing: Pairing): Check {
  const byId = new Map(drawn.map((shape) => [shape.id, shape]));
  const twin = (shape: Shape) => byId.get(pairing.get(shape.id) ?? '') ?? shape;
  const wrong: string[] = [];
  let pairs = 0;
  for (const axis of ['x', 'y'] as const) {
    const places = expected.map((shape) => shape[axis]);
    const least = apart * (Math.max(...places) - Math.min(...places));
    for (const [index, one] of expected.entries()) {
      for (const other of expected.slice(index + 1)) {
        const [first, second] = one[axis] < other[axis] ? [one, other] : [other, one];
        if (second[axis] - first[axis] <= Math.max(least, 1)) continue;
        pairs++;
        if (twin(first)[axis] < twin(second)[axis]) continue;
        wrong.push(`${looks(first)} is not ${axis === 'x' ? 'left of' : 'above'} ${looks(second)}`);
      }
    }
  }
  if (pairs - wrong.length >= enough * pairs)
    return passed('layout', `${pairs - wrong.length} of ${pairs} pairs lie as expected`);
  return failed('layout', `${wrong.length} of ${pairs} pairs lie otherwise: ${wrong.slice(0, 5).join(', ')}`);
}
