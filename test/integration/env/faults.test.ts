import assert from 'node:assert/strict';
import { Session, readActions, type ActionOutcome, type Observation } from '../../../host/env/index.ts';
import { onEachNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';

/** Runs a script in the page from inside the sandbox, as nothing of the product can. */
const inPage = `
const [page] = (await (await fetch('http://127.0.0.1:9222/json')).json()).filter(({ type }) => type === 'page');
const socket = new WebSocket(page.webSocketDebuggerUrl);
await new Promise((resolve) => (socket.onopen = resolve));
const answered = new Promise((resolve) => (socket.onmessage = resolve));
socket.send(JSON.stringify({ id: 1, method: 'Runtime.evaluate', params: { expression: process.argv[1] } }));
await answered;
process.exit(0);
`;

onEachNode('a session whose page or display fails', (open) => {
  let ide: Ide;
  let session: Session;
  const owned = new AsyncDisposableStack();
  const signal = () => AbortSignal.timeout(120_000);

  before(async () => {
    ide = owned.use(await Ide.start(open, { 'a.txt': 'a\n' }));
    session = owned.use(new Session(ide.sandbox));
    await session.settle(signal());
    await session.observe(signal());
  });
  after(() => owned.disposeAsync());

  async function one(line: string): Promise<{ outcome: ActionOutcome; observation: Observation }> {
    const { observation, info } = await session.step(readActions(line), signal());
    const [outcome] = info.outcomes;
    assert.ok(outcome);
    return { outcome, observation };
  }

  async function run(...argv: string[]): Promise<void> {
    const path = '/opt/node/bin:/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin';
    const limits = { timeoutMs: 30_000, maxOutputBytes: 10_000 };
    const result = await ide.sandbox.exec({ argv, cwd: '/', env: { PATH: path }, ...limits }, signal());
    assert.equal(result.exitCode, 0, JSON.stringify(result));
  }

  const script = (text: string) => run('node', '--input-type=module', '-e', inPage, text);
  const on = (key: string, what: string) =>
    script(
      `addEventListener('keydown', (event) => { if (event.key === '${key}') ${what} }, { capture: true })`,
    );

  for (const [key, what, type] of [
    ['F8', "confirm('Sure?')", 'confirm'],
    ['F9', "alert('Sure?')", 'alert'],
    ['F4', "document.title = prompt('Sure?', 'x')", 'prompt'],
  ] as const) {
    it(`sees a blocking ${type} at once, and answers it`, async () => {
      await on(key, what);
      const begin = performance.now();
      const { outcome, observation } = await one(`xdotool key ${key}`);
      const ms = performance.now() - begin;
      assert.equal(outcome.effect, 'confirmed', outcome.evidence);
      assert.match(outcome.evidence, new RegExp(`opened a dialog, ${type}: "Sure\\?"`));
      assert.deepEqual([observation.dialog?.type, observation.dialog?.message], [type, 'Sure?']);
      assert.equal(observation.workbench, false);
      assert.ok(ms < 10_000, `took ${ms} ms`);
      const mark = await one('click [1]');
      assert.equal(mark.outcome.effect, 'refused');
      const answer = await one(type === 'prompt' ? "dialog accept 'answered'" : 'dialog accept');
      assert.equal(answer.outcome.effect, 'confirmed', answer.outcome.evidence);
      assert.equal(answer.observation.dialog, undefined);
      assert.ok(answer.observation.marks.length > 10);
      if (type === 'prompt') assert.equal(answer.observation.title, 'answered');
    });
  }

  it('gives words that the executor lacks to the xdotool program inside', async () => {
    const { outcome } = await one('xdotool search --onlyvisible --class . getwindowgeometry --shell');
    assert.equal(outcome.effect, 'confirmed', outcome.evidence);
    assert.match(outcome.output ?? '', /WIDTH=1920\nHEIGHT=1080/);
    const { outcome: none } = await one('xdotool search --name nosuchwindow windowfocus');
    assert.equal(none.effect, 'refused');
  });

  it('refuses to answer a dialog that is not there', async () => {
    assert.equal((await one('dialog accept')).outcome.effect, 'refused');
  });

  it('tells that the display went away in the middle of typing, and goes on with the next step', async () => {
    const stepping = one(`xdotool type '${'lorem ipsum '.repeat(500)}'`);
    await run('bash', '-c', 'sleep 2; kill -9 $(pgrep -x Xvfb)');
    const { outcome } = await stepping;
    assert.equal(outcome.effect, 'unverifiable');
    assert.match(outcome.evidence, /display went away/);
    const { outcome: next } = await one('xdotool key F1');
    assert.equal(next.effect, 'confirmed', next.evidence);
  });
});
