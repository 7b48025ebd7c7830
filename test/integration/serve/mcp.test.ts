import assert from 'node:assert/strict';
import { ResourceListChangedNotificationSchema } from '@modelcontextprotocol/sdk/types.js';
import sharp from 'sharp';
import { agent, type AgentStep } from '../../../bridge/protocol/index.ts';
import { SharedIde } from '../../../host/doors/serve/mcp/shared-ide.ts';
import { stepReportsOf, takeControl } from '../../../host/ide/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { type ImageBlock, imagesOf, McpClient, textOf } from '../../support/mcp-client.ts';
import { ToolIde } from '../../support/tool-ide.ts';

onOneNode('an IDE over MCP', (open) => {
  let ide: ToolIde;
  let shared: SharedIde;
  let client: McpClient;
  const owned = new AsyncDisposableStack();

  before(async () => {
    ide = owned.use(await ToolIde.start(open, { 'a.txt': 'one\ntwo\n', 'src/b.ts': 'export {};\n' }));
    shared = new SharedIde(Promise.resolve(ide.ide.sandbox));
    client = owned.use(await McpClient.inMemory(shared, { all: true }));
  });
  after(() => owned.disposeAsync());

  /** The number of a mark, read from a list of marks. */
  async function markOf(role: string, name: string): Promise<number> {
    const list = await client.text('computer_marks', { role, text: name });
    const [, id] = /^\[(\d+)\] /m.exec(list) ?? [];
    assert.ok(id, list);
    return Number(id);
  }

  it('answers tools of the extension and of the bridge with their text and effect', async () => {
    const read = await client.call('read_file', { path: 'a.txt' });
    assert.match(textOf(read), /^a\.txt \(lines 1-2 of 2; version [0-9a-f]{16}\)\n1\tone\n2\ttwo$/);
    assert.equal(read.structuredContent, undefined);
    const shell = await client.call('shell', { command: 'echo hi; exit 3' });
    assert.equal(textOf(shell), 'exit code 3\nhi\n');
    assert.deepEqual(shell._meta, {
      'pwp/effect': 'confirmed',
      'pwp/evidence': 'the tool answered: exit code 3',
    });
  });

  it('returns objects too, on request; the client validates them against their schemas', async () => {
    await using programs = await McpClient.inMemory(shared, { structured: true });
    await programs.client.listTools();
    const { structuredContent } = await programs.call('read_file', { path: 'a.txt', line_numbers: false });
    assert.equal(structuredContent?.text, 'one\ntwo');
  });

  it("serves IDE-Bench's tools under their names, and shows every call to people in the IDE", async () => {
    await using bench = await McpClient.inMemory(shared, { set: 'ide-bench' });
    const where = { target_file: 'a.txt', should_read_entire_file: true, explanation: 'to see it' };
    assert.match(await bench.text('read_file', where), /^1\tone$/m);
    assert.match(await bench.refusal('web_search', { search_term: 'x' }), /^bad-arguments: .*absent here/);
    await client.text('list_dir', { path: '.', explanation: 'to look around' });
    await stepReportsOf(ide.ide.sandbox).idle(AbortSignal.timeout(20_000));
    const { steps } = await ide.ide.sandbox.call(agent.steps, {}, { signal: AbortSignal.timeout(20_000) });
    assert.deepEqual(
      steps
        .slice(-3)
        .map(({ by, step, outcomes: [outcome] }) => [by, step, outcome?.action, outcome?.effect]),
      [
        ['agent', null, 'read_file', 'confirmed'],
        ['agent', null, 'web_search', 'refused'],
        ['agent', null, 'list_dir', 'confirmed'],
      ],
    );
    assert.deepEqual(
      steps.slice(-3).map(({ outcomes: [outcome] }) => outcome?.explanation),
      ['to see it', null, 'to look around'],
    );
  });

  it('answers before the steps are shown to people, and shows them in order', async () => {
    const { sandbox } = ide.ide;
    const shown = Promise.withResolvers<void>();
    const reports: unknown[] = [];
    const held =
      (call: (...given: unknown[]) => unknown) =>
      async (method: unknown, given: unknown, options: unknown) => {
        if (method === agent.report) await shown.promise;
        if (method === agent.report) reports.push(given);
        return call(method, given, options);
      };
    // The same sandbox, with a view that takes as long as this test wants.
    const slow = new Proxy(sandbox, {
      get(target, name) {
        const value: unknown = Reflect.get(target, name);
        if (typeof value !== 'function') return value;
        const bound = (value as (...given: unknown[]) => unknown).bind(target);
        return name === 'call' ? held(bound) : bound;
      },
    });
    await using other = await McpClient.inMemory(new SharedIde(Promise.resolve(slow)));
    const explanations = ['first', 'second', 'third'];
    for (const explanation of explanations) await other.text('list_dir', { explanation });
    assert.deepEqual(reports, []);
    shown.resolve();
    await other.text('computer_marks', { role: 'tab' });
    const { steps } = await sandbox.call(agent.steps, {}, { signal: AbortSignal.timeout(20_000) });
    assert.deepEqual(
      steps.slice(-3).map(({ outcomes: [outcome] }) => outcome?.explanation),
      explanations,
    );
  });

  it('says why a tool refused', async () => {
    assert.match(await client.refusal('read_file', { path: '../../etc/passwd' }), /^outside-workspace: /);
    assert.match(await client.refusal('read_file', { path: 'none.txt' }), /^not-found: /);
    assert.match(await client.refusal('read_file', { file: 'a.txt' }), /^bad-arguments: .*file/s);
    assert.match(await client.refusal('computer_click', { colour: 'red' }), /^bad-arguments: .*colour/s);
  });

  it('has the screen, the state, the record and the open files as resources', async () => {
    const read = async (uri: string) => {
      const { contents } = await client.client.readResource({ uri });
      const [only] = contents;
      assert.ok(only, uri);
      return 'text' in only ? only.text : Buffer.from(only.blob, 'base64');
    };
    const json = async (uri: string) => JSON.parse(String(await read(uri))) as unknown;
    const { width, height } = await sharp(await read('pwp://screen')).metadata();
    assert.deepEqual([width, height], [ide.ide.sandbox.display.width, ide.ide.sandbox.display.height]);
    const state = (await json('pwp://state')) as { workspace: { folders: unknown[] } };
    assert.equal(state.workspace.folders.length, 1);
    await client.text('list_dir', { path: 'src', explanation: 'for the record' });
    const { steps } = (await json('pwp://record')) as { steps: AgentStep[] };
    assert.equal(steps.at(-1)?.outcomes[0]?.explanation, 'for the record');
    assert.equal(await read('pwp://file/src/b.ts'), 'export {};');
    await assert.rejects(read('pwp://file/none.ts'), { code: -32_002 });
    await assert.rejects(read('pwp://file/../../etc/passwd'), /outside-workspace/);
  });

  it('notifies a client that listed its resources when a file is opened or closed', async () => {
    await using watching = await McpClient.inMemory(shared);
    let changed = Promise.withResolvers<void>();
    watching.client.setNotificationHandler(ResourceListChangedNotificationSchema, () => changed.resolve());
    const files = async () => {
      const { resources } = await watching.client.listResources();
      return resources.flatMap(({ uri }) => /^pwp:..file.(.*)/.exec(uri)?.[1] ?? []);
    };
    assert.deepEqual(await files(), []);
    await client.text('open_file', { path: 'src/b.ts' });
    await changed.promise;
    assert.deepEqual(await files(), ['src/b.ts']);
    changed = Promise.withResolvers();
    await client.text('run_command', { command: 'workbench.action.closeAllEditors' });
    await changed.promise;
    assert.deepEqual(await files(), []);
  });

  it('shows the screen as an image, with and without marks', async () => {
    const plain = await client.call('computer_screenshot');
    const marked = await client.call('computer_screenshot', { marks: true });
    const { width, height } = ide.ide.sandbox.display;
    for (const answer of [plain, marked]) assert.deepEqual(await sizeOf(answer), [width, height]);
    assert.match(textOf(marked), /\[\d+\] treeitem "a\.txt"/);
    assert.doesNotMatch(textOf(plain), /treeitem/);
    assert.notEqual(imagesOf(plain)[0]?.data, imagesOf(marked)[0]?.data);
  });

  it('shows a part of the screen, and keeps the marks valid', async () => {
    const mark = await markOf('treeitem', 'a.txt');
    const zoomed = await client.call('computer_zoom', { region: [10, 20, 210, 120] });
    assert.deepEqual(await sizeOf(zoomed), [200, 100]);
    assert.match(await client.text('computer_mouse_move', { mark }), /^confirmed: /);
    assert.match(await client.refusal('computer_zoom', { region: [5000, 0, 5010, 10] }), /^bad-picture: /);
  });

  it('clicks, types and presses keys, with the effect, the reason of settling, and a picture on request', async () => {
    const opened = await client.call('computer_click', {
      mark: await markOf('treeitem', 'a.txt'),
      clicks: 2,
    });
    assert.match(textOf(opened), /^confirmed: .*\nsettled after \d+ ms \((quiet|cap)/s);
    assert.equal(imagesOf(opened).length, 0);
    await client.text('computer_key', { keys: 'ctrl+Home' });
    const typed = await client.call('computer_type', { text: '# Grüße\n', screenshot: 'screen' });
    assert.match(textOf(typed), /all 8 characters landed/);
    assert.equal(imagesOf(typed).length, 1);
    const { 'pwp/effects': effects, 'pwp/settled': settled } = typed._meta ?? {};
    assert.equal((effects as { effect: string }[])[0]?.effect, 'confirmed');
    assert.ok(['quiet', 'cap'].includes((settled as { reason: string }).reason));
    await client.text('computer_key', { keys: 'ctrl+s' });
    assert.match((await ide.onDisk('a.txt')) ?? '', /^# Gr/);
  });

  it('plays a batch in any vendor’s actions, and ends it at a refused one', async () => {
    const actions = [
      'xdotool key F1',
      { action: 'type', text: 'zoom' },
      { type: 'keypress', keys: ['ESC'] },
      'click [999999]',
      'xdotool key a',
    ];
    const text = await client.refusal('computer_step', { actions });
    assert.match(text, /all 4 characters landed/);
    assert.match(text, /refused: .*999999/);
    assert.match(text, /not tried: 1 later action/);
  });

  it('refuses a mark together with a place; scrolls, drags, waits', async () => {
    const mark = await markOf('treeitem', 'a.txt');
    assert.match(
      await client.refusal('computer_click', { mark, coordinate: [1, 2] }),
      /give either a mark or a coordinate/,
    );
    await client.text('computer_scroll', { mark, direction: 'down', amount: 2 });
    await client.text('computer_drag', { start_coordinate: [600, 200], coordinate: [640, 200] });
    await client.text('computer_hold_key', { keys: 'shift', seconds: 0.05 });
    await client.text('computer_wait', {});
    assert.match(await client.text('computer_cursor_position'), /^x:640 y:200\nunder it: .+ \d+x\d+/m);
    assert.match(await client.refusal('computer_dialog', { accept: true }), /refused: /);
  });

  it('accepts arguments as other programs send them: JSON as text, null for absent ones, x and y', async () => {
    assert.match(
      await client.text('computer_mouse_move', { x: '620', y: 210, mark: null }),
      /pointer at \(620, 210\)/,
    );
    await client.text('computer_mouse_move', { coordinate: '[600, 200]' });
    assert.match(await client.text('computer_cursor_position', {}), /^x:600 y:200/);
    const lines = { path: 'a.txt', start_line: '1', end_line: null, line_numbers: 'false' };
    assert.match(await client.text('read_file', lines), /^a\.txt \(lines 1-/);
    assert.match(await client.refusal('read_file', { path: 'a.txt', start_line: 'one' }), /^bad-arguments: /);
  });

  it('is refused while a person has control, must look first afterwards, and can ask a person', async () => {
    const { sandbox } = ide.ide;
    const ada = { kind: 'person', id: 'ada', name: 'Ada' } as const;
    const write = { path: 'a.txt', content: 'one\ntwo\n' };
    {
      await using control = await takeControl(sandbox, ada);
      assert.equal(control.person, ada);
      for (const name of ['computer_screenshot', 'computer_marks', 'computer_cursor_position'])
        assert.match(await client.refusal(name), /^control-held: Ada has control since/);
      assert.match(await client.refusal('computer_key', { keys: 'Escape' }), /^control-held/);
      assert.match(await client.refusal('read_file', { path: 'a.txt' }), /^control-held/);
      assert.match(await client.refusal('write_file', write), /^control-held/);
      await assert.rejects(client.client.readResource({ uri: 'pwp://screen' }), /Ada has control/);
      const asking = client.text('ask_person', { text: 'Which?', choices: ['a', 'b'] });
      const { questions } = await sandbox.questions.changed(0, { signal: AbortSignal.timeout(20_000) });
      const [question] = questions;
      await sandbox.questions.answer(question?.id ?? '', { by: ada, how: 'answered', text: 'b' });
      assert.equal(await asking, 'Ada answered: b');
    }
    assert.match(await client.refusal('write_file', write), /^look-first: Ada has had control/);
    assert.match(await client.text('computer_screenshot'), /\nAda had control and has given it back/);
    assert.match(await client.text('person_changes'), /^Ada had control/);
    await client.text('computer_key', { keys: 'Escape' });
  });

  it('reports progress while a tool works', async () => {
    const reported: string[] = [];
    const onprogress = ({ message = '' }) => {
      reported.push(message);
      if (reported.length === 2) void client.text('shell', { command: 'touch /tmp/reported' });
    };
    await client.text(
      'shell',
      { command: 'until [ -e /tmp/reported ]; do sleep 0.05; done' },
      { onprogress },
    );
    assert.deepEqual(reported.slice(0, 2), ['shell: 1 s', 'shell: 2 s']);
  });

  it('ends the program of a cancelled call', async () => {
    const giveUp = new AbortController();
    const calling = client.call('shell', { command: 'sleep 4711' }, { signal: giveUp.signal });
    await client.text('shell', { command: 'until pgrep -f "sleep 471[1]"; do sleep 0.05; done' });
    giveUp.abort();
    await assert.rejects(calling);
    await client.text('shell', { command: 'while pgrep -f "sleep 471[1]"; do sleep 0.05; done' });
  });

  it('plays the next call when one that holds the keyboard is cancelled', async () => {
    const giveUp = new AbortController();
    const options = { signal: giveUp.signal, onprogress: () => giveUp.abort() };
    await assert.rejects(client.call('computer_hold_key', { keys: 'shift', seconds: 60 }, options));
    assert.match(await client.text('computer_key', { keys: 'Escape' }), /settled after/);
  });

  it('lets two clients work at the same time; a mark number means the same to both', async () => {
    await using other = await McpClient.inMemory(shared);
    const mark = await markOf('treeitem', 'a.txt');
    const [, theirs] = await Promise.all([
      client.text('computer_key', { keys: 'Escape' }),
      other.text('computer_marks', { role: 'treeitem' }),
      other.text('read_file', { path: 'src/b.ts' }),
    ]);
    assert.match(theirs, /a\.txt/);
    assert.match(await client.text('computer_click', { mark }), /^confirmed: treeitem "a\.txt" is selected/);
  });

  it('says what to do when the sandbox is gone', async () => {
    await ide.ide.sandbox.stop();
    for (const name of ['list_dir', 'computer_screenshot', 'computer_wait'])
      assert.match(await client.refusal(name), /start this server|start(ed)? .*again|is over|stopped/, name);
  });
});

async function sizeOf(answer: Parameters<typeof imagesOf>[0]): Promise<unknown[]> {
  const [image] = imagesOf(answer) as [ImageBlock];
  assert.equal(image.mimeType, 'image/png');
  const { width, height } = await sharp(Buffer.from(image.data, 'base64')).metadata();
  return [width, height];
}
