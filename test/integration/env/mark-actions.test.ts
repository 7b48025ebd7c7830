import assert from 'node:assert/strict';
import { ide as ideMethods } from '../../../bridge/protocol/index.ts';
import { Session, type ActionOutcome } from '../../../host/env/index.ts';
import { openLocal } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';

describe('what is done to marks', () => {
  const lines = Array.from({ length: 200 }, (_, i) => `line ${i + 1}`);
  const owned = new AsyncDisposableStack();
  let ide: Ide;
  let session: Session;
  const signal = () => AbortSignal.timeout(60_000);

  before(async () => {
    ide = owned.use(await Ide.start(openLocal, { 'long.txt': lines.join('\n') }));
    session = owned.use(new Session(ide.sandbox, { settleCapMs: 15_000 }));
    await session.settle({ signal: signal() });
    await session.observe({ signal: signal() });
    await step(`double_click [${await mark('treeitem', /^long\.txt/)}]`);
    await step('xdotool key ctrl+shift+f');
  });
  after(() => owned.disposeAsync());

  async function step(line: string): Promise<ActionOutcome> {
    const { info } = await session.step(line, { signal: signal() });
    const [outcome] = info.outcomes;
    assert.ok(outcome);
    return outcome;
  }

  async function mark(role: string, name: RegExp): Promise<number> {
    const { marks } = await session.observe({ signal: signal() });
    const found = marks.find((one) => one.role === role && name.test(one.name));
    assert.ok(found, marks.map((one) => `${one.role} ${one.name}`).join(' | '));
    return found.id;
  }

  async function judged(line: string, effect: string, evidence: RegExp): Promise<void> {
    const outcome = await step(line);
    assert.equal(outcome.effect, effect, outcome.evidence);
    assert.match(outcome.evidence, evidence);
  }

  it('fills a field, whatever it held, and empties it', async () => {
    const field = await mark('textbox', /^Search/);
    await judged(`type [${field}] 'two words'`, 'confirmed', /holds "two words"/);
    await judged(`type [${await mark('textbox', /^Search/)}] 'two words'`, 'confirmed', /holds "two words"/);
    await judged(`type [${await mark('textbox', /^Search/)}] ''`, 'confirmed', /holds ""/);
  });

  it('types into nothing that is no field', async () => {
    const line = await mark('line', /^line 2$/);
    await judged(`type [${line}] 'lost'`, 'refused', /no text field .*nothing was typed/);
    const { editor } = await ide.sandbox.call(ideMethods.editor, { includeText: true });
    assert.equal(editor?.text, lines.join('\n'));
  });

  it('selects by dragging from one to another, and a line by three clicks', async () => {
    const [from, to] = [await mark('line', /^line 2$/), await mark('line', /^line 5$/)];
    await judged(`drag [${from}] to [${to}]`, 'confirmed', /selection|selected/);
    await judged(`triple_click [${await mark('line', /^line 7$/)}]`, 'confirmed', /selection|selected/);
  });

  it('turns the wheel over one', async () => {
    await judged(`scroll [${await mark('line', /^line 7$/)}] down 4`, 'confirmed', /scrolled from/);
    await mark('line', /^line 20$/);
  });
});
