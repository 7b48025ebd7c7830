import assert from 'node:assert/strict';
import { ErrorCode, RpcError, toolMethods, tools } from '../../../bridge/protocol/index.ts';
import { type Action, type ActionOutcome, Session } from '../../../host/ide/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';

onOneNode('tools in a step', (open) => {
  let ide: Ide;
  let session: Session;
  const owned = new AsyncDisposableStack();
  const signal = () => AbortSignal.timeout(60_000);

  before(async () => {
    ide = owned.use(await Ide.start(open, { 'a.txt': 'one\ntwo\n', 'src/b.ts': 'export {};\n' }));
    session = owned.use(new Session(ide.sandbox));
    await session.settle({ signal: signal() });
    await session.observe({ signal: signal() });
  });
  after(() => owned.disposeAsync());

  async function one(name: string, given: Record<string, unknown>, set?: string): Promise<ActionOutcome> {
    const action: Action = { kind: 'tool', name, arguments: given, ...(set !== undefined && { set }) };
    const [outcome] = (await session.step([action], { signal: signal() })).info.outcomes;
    assert.ok(outcome);
    return outcome;
  }

  it('run in the extension and in the bridge, and their answer confirms them', async () => {
    const read = await one('read_file', { path: 'a.txt' });
    assert.equal(read.effect, 'confirmed', read.evidence);
    assert.match(read.output ?? '', /^a\.txt \(lines 1-2 of 2; version [0-9a-f]{16}\)\n1\tone\n2\ttwo$/);
    assert.equal((read.result as { text?: unknown }).text, '1\tone\n2\ttwo');
    const shell = await one('shell', { command: 'echo hi; exit 3' });
    assert.equal(shell.output, 'exit code 3\nhi\n');
    assert.equal(shell.evidence, 'the tool answered: exit code 3');
  });

  it('are refused with a reason that says what to do, and the step continues', async () => {
    const unknown = await one('read_fil', {});
    assert.match(
      `${unknown.effect} ${unknown.evidence}`,
      /^refused unknown tool read_fil; there are: .*read_file/,
    );
    const wrong = await one('read_file', { path: 'a.txt', start: 1 });
    assert.match(`${wrong.effect} ${wrong.evidence}`, /^refused tool read_file: bad arguments: .*start/s);
    const missing = await one('read_file', { path: 'none.txt' });
    assert.match(`${missing.effect} ${missing.evidence}`, /^refused there is no file none\.txt/);
  });

  it('of a tool set do what their arguments say', async () => {
    const edit = (given: Record<string, unknown>) => one('file_edit', { path: 'c.txt', ...given }, 'pwp');
    const calls = [
      { command: 'create', file_text: 'two\nfour\n' },
      { command: 'insert', insert_line: 0, insert_text: 'one\n' },
      { command: 'insert', insert_line: 2, insert_text: 'three' },
      { command: 'str_replace', old_str: 'four', new_str: '4' },
    ];
    for (const call of calls) {
      const { effect, evidence } = await edit(call);
      assert.equal(effect, 'confirmed', `${call.command}: ${evidence}`);
    }
    const { output } = await edit({ command: 'view', start_line: 1, end_line: 4 });
    assert.match(output ?? '', /1\tone\n2\ttwo\n3\tthree\n4\t4$/);
    const found = await one('search_repository', { query: 'three' }, 'pwp');
    assert.match(found.output ?? '', /c\.txt/);
  });

  it('are listed with their schemas', async () => {
    const { tools: listed, missing } = await ide.sandbox.call(toolMethods.list, {}, { signal: signal() });
    assert.equal(missing, null);
    assert.deepEqual(listed.map(({ name }) => name).sort(), tools.map(({ name }) => name).sort());
    const { input } = listed.find(({ name }) => name === 'read_file') ?? {};
    assert.deepEqual(input?.required, ['path']);
  });

  it('pass a cancellation on to the handler', async () => {
    const controller = new AbortController();
    const command = 'echo $$ > /tmp/sleeper; exec sleep 1000';
    const call = ide.sandbox.call(
      toolMethods.call,
      { name: 'shell', arguments: { command } },
      { signal: controller.signal },
    );
    // A node in a container reports the caller's own reason.
    const cancelled = assert.rejects(
      call,
      (error) =>
        error === controller.signal.reason ||
        (error instanceof RpcError && error.code === ErrorCode.Cancelled),
    );
    await one('shell', { command: 'until [ -s /tmp/sleeper ]; do :; done' });
    controller.abort();
    await cancelled;
    const gone = await one('shell', {
      command: 'while kill -0 $(cat /tmp/sleeper) 2> /dev/null; do sleep 0.01; done',
    });
    assert.match(gone.output ?? '', /^exit code 0/);
  });
});
