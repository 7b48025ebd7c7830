import { readFileSync } from 'node:fs';

/** Names of classes and methods, the entry that is asked for, and what happens to it, follow from the seed. */

const source = readFileSync(new URL('tests/before/ledger/rules.py', import.meta.url), 'utf8');

/** What the rules' classes and methods may be called. */
const called = {
  Cap: ['Cap', 'Ceiling', 'Bound', 'Maximum'],
  Waiver: ['Waiver', 'Relief', 'Mercy', 'Grace'],
  overflow: ['overflow', 'exceed', 'surpass', 'spill'],
  waive: ['waive', 'spare', 'relieve', 'forgive'],
};

/** As `rule_for` finds it: 0 Plain, 1 Member, 2 Bulk, 3 Partner, 4 Legacy. */
function kindOf(id) {
  const bytes = [...Buffer.from(id)];
  return bytes.reduce((sum, byte) => (sum * 31 + byte) % 1009, 7) % 5;
}

const isWaived = (id) => [...Buffer.from(id)].reduce((sum, byte) => sum + byte) % 3 !== 0;

/** Amounts in cents that are over the limit of a kind when it is looked at. */
const tooMuch = { 2: [71, 99], 3: [100, 140], 4: [130, 160] };

const ends = [
  'Cap.overflow by Cap.settle',
  'Cap.overflow by Waiver.overflow',
  'Waiver.waive by Waiver.overflow',
];

/** How an amount that is too large is changed last, as one of `ends`. */
function endOf(id) {
  if (kindOf(id) === 3) return ends[0];
  return isWaived(id) ? ends[2] : ends[1];
}

/** @param {import('../../../host/tasks/index.ts').VariantInput} input */
export default function variant({ random }) {
  const names = Object.entries(called).map(([name, choice]) => [name, random.pick(choice)]);
  const renamed = (text) =>
    names.reduce((all, [name, other]) => all.replaceAll(new RegExp(`\\b${name}\\b`, 'g'), other), text);
  const ids = Array.from({ length: 60 }, (_, at) => `E-${String(at + 1).padStart(3, '0')}`);
  const end = random.pick(ends);
  const entry = random.pick(ids.filter((id) => kindOf(id) in tooMuch && endOf(id) === end));
  const cents = 100 * random.int(...tooMuch[kindOf(entry)]);
  const others = random.sample(
    ids.filter((id) => id !== entry),
    6,
  );
  const rows = [[entry, cents], ...others.map((id) => [id, 100 * random.int(4, 140)])].sort();
  const entries = `id,cents\n${rows.map((row) => `${row.join()}\n`).join('')}`;
  const rules = renamed(source);
  const [method, caller] = renamed(end).split(' by ');
  const [nearMethod, nearCaller] = renamed(ends[(ends.indexOf(end) + 1) % 3]).split(' by ');
  const body = `def ${method.split('.')[1]}(self, entry: dict) -> dict:\n        return {**entry`;
  return {
    files: {
      'environment/workspace/entries.csv': entries,
      'environment/workspace/ledger/rules.py': rules,
      'tests/before/entries.csv': entries,
      'tests/before/ledger/rules.py': rules,
      'tests/expected.json': JSON.stringify({ method: [method], 'called by': [caller] }),
    },
    words: {
      entry,
      cents,
      method,
      caller,
      near_method: nearMethod,
      near_caller: nearCaller,
      line: rules.slice(0, rules.indexOf(body)).split('\n').length + 1,
    },
  };
}
