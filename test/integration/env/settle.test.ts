import assert from 'node:assert/strict';
import { poll } from '../../../bridge/lib/index.ts';
import { ideTools } from '../../../bridge/protocol/index.ts';
import { callTool, type Observation, Session, type StepInfo, stepText } from '../../../host/ide/index.ts';
import { openLocal } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { says } from '../../support/node-sandbox.ts';
import { slowIt } from '../../support/slow.ts';
import { packVsix } from '../../support/vsix.ts';

const tasks = {
  version: '2.0.0',
  tasks: [
    {
      label: 'slow',
      type: 'shell',
      command: 'sleep 1; echo built-$((40+2))',
      group: { kind: 'build', isDefault: true },
      problemMatcher: [],
    },
  ],
};

const commands = ['show', 'wait', 'end', 'listen'].map((name) => ({
  command: `small.${name}`,
  title: `Small: ${name}`,
}));

/**
 * A webview that is empty for a second and whose page works for another, a progress bar that another command ends, and a
 * message that is shown when a file appears.
 */
const small = {
  manifest: { contributes: { commands } },
  main: `
    const vscode = require('vscode');
    let end = () => undefined;
    exports.activate = () => {
      vscode.commands.registerCommand('small.show', () => {
        const { webview } = vscode.window.createWebviewPanel('small', 'Small', 1, { enableScripts: true });
        setTimeout(() => { webview.html = page; }, 1000);
      });
      vscode.commands.registerCommand('small.end', () => end());
      vscode.commands.registerCommand('small.listen', () => {
        const watch = require('fs').watch('/workspace', (_, name) => {
          if (name !== 'now') return;
          watch.close();
          void vscode.window.showInformationMessage('It is now.');
        });
      });
      vscode.commands.registerCommand('small.wait', () => {
        const location = vscode.ProgressLocation.SourceControl;
        void vscode.window.withProgress({ location }, () => new Promise((resolve) => { end = resolve; }));
      });
    };
    const page = \`<body aria-busy="true"><script>
      setTimeout(() => {
        document.body.innerHTML = '<button>late button</button>';
        document.body.ariaBusy = 'false';
      }, 1000);
    </script></body>\`;`,
};

describe('a step that starts silent work', () => {
  let ide: Ide;
  let session: Session;
  const owned = new AsyncDisposableStack();
  const signal = () => AbortSignal.timeout(60_000);

  before(async () => {
    ide = owned.use(await Ide.start(openLocal, { '.vscode/tasks.json': JSON.stringify(tasks) }));
    session = owned.use(new Session(ide.sandbox, { settleCapMs: 15_000 }));
    await session.settle({ signal: signal() });
    await session.observe({ signal: signal() });
    await step('xdotool key ctrl+grave');
    await ide.until('a prompt', ({ marks }) => marks.find(({ role }) => role === 'terminal line'));
    // Shell integration works once one command has ended.
    await step("xdotool type 'true'", 'xdotool key Return');
    await says(ide.sandbox, `cd /workspace; ${packVsix(small.manifest, small.main)}`);
    await callTool(ide.sandbox, {
      name: ideTools.manageExtension.name,
      arguments: { action: 'install', vsix: 'small.vsix' },
    });
  });
  after(() => owned.disposeAsync());

  async function step(...lines: string[]): Promise<{ observation: Observation; info: StepInfo }> {
    return session.step(lines, { signal: signal() });
  }

  function shows({ marks }: Observation, text: string): boolean {
    return marks.some(({ name, value = '' }) => name.includes(text) || value.includes(text));
  }

  it('ends when the command in the terminal has ended', async () => {
    const { observation, info } = await step(
      "xdotool type 'sleep 1.2; echo late-$((40+2))'",
      'xdotool key Return',
    );
    assert.equal(info.settled.reason, 'quiet');
    assert.ok(shows(observation, 'late-42'), observation.marks.map(({ name }) => name).join(' | '));
  });

  it('names what was still running when the cap ends it', async () => {
    using hasty = new Session(ide.sandbox, { settleCapMs: 700 });
    await hasty.observe({ signal: signal() });
    const { info } = await hasty.step(["xdotool type 'sleep 8'", 'xdotool key Return'], {
      signal: signal(),
    });
    assert.equal(info.settled.reason, 'cap');
    assert.ok(info.settled.busy.length > 0);
    const { info: next } = await step('xdotool key shift');
    assert.equal(next.settled.reason, 'quiet');
  });

  slowIt('ends when a slow field has answered', async () => {
    await step('xdotool key ctrl+k', 'xdotool key ctrl+s');
    await ide.until('the search box', ({ focus }) => focus?.editable || undefined);
    await step("xdotool type 'list.find'");
    const { observation, info } = await step('xdotool key ctrl+a', "xdotool type 'commentLine'");
    assert.equal(info.settled.reason, 'quiet');
    assert.ok(shows(observation, 'Line Comment'), observation.marks.map(({ name }) => name).join(' | '));
    await step('xdotool key Escape');
  });

  slowIt('ends when a number typed into the settings is written', async () => {
    await step('xdotool key ctrl+comma');
    await ide.until('the search box', ({ focus }) => focus?.editable || undefined);
    await step("xdotool type '@id:files.autoSaveDelay'");
    await step('xdotool key Down');
    await step('xdotool key Return');
    await step('xdotool key ctrl+a', "xdotool type '515'");
    const written = await ide.sandbox.readFile('/ide/data/User/settings.json', 100_000);
    assert.match(Buffer.from(written ?? '').toString(), /"files\.autoSaveDelay": 515/);
    await step('xdotool key Escape');
  });

  slowIt('ends when a webview shows what its extension gave it', async () => {
    await step('xdotool key F1');
    await step("xdotool type 'Small: show'");
    const { observation, info } = await step('xdotool key Return');
    assert.equal(info.settled.reason, 'quiet');
    assert.ok(shows(observation, 'late button'), observation.marks.map(({ name }) => name).join(' | '));
  });

  slowIt('ends when a visible output has the logged lines', async () => {
    const toggle = () =>
      step(
        'xdotool key F1',
        "xdotool type 'Developer: Toggle Keyboard Shortcuts Troubleshooting'",
        'xdotool key Return',
      );
    await toggle();
    const { observation, info } = await step('xdotool key ctrl+alt+x');
    assert.equal(info.settled.reason, 'quiet');
    const lines = observation.marks.map(({ name, value = '' }) => `${name} ${value}`);
    assert.ok(shows(observation, 'code: KeyX'), lines.join(' | '));
    await toggle();
    await step('xdotool key ctrl+j');
  });

  slowIt('waits for a progress bar, but not again and again for one that stays', async () => {
    using hasty = new Session(ide.sandbox, { settleCapMs: 1500 });
    await hasty.observe({ signal: signal() });
    const settled = async (...lines: string[]) =>
      (await hasty.step(lines, { signal: signal() })).info.settled;
    const command = (name: string) =>
      settled('xdotool key F1', `xdotool type 'Small: ${name}'`, 'xdotool key Return');
    await step('xdotool key ctrl+shift+g');
    for (let round = 0; round < 2; round += 1) {
      assert.equal((await command('wait')).reason, 'cap');
      const { reason, busy } = await poll(
        'a step that does not wait for it',
        async () => {
          const next = await settled('xdotool key shift');
          return next.reason === 'quiet'
            ? { done: true, value: next }
            : { done: false, saw: next.busy.join() };
        },
        { intervalMs: 100, signal: signal() },
      );
      assert.deepEqual([reason, busy], ['quiet', ['progress bar in workbench.parts.sidebar']]);
      const { busy: after } = await command('end');
      assert.ok(!after.join().includes('progress bar'), after.join());
    }
  });

  it('reports what VS Code did since the last step without any action', async () => {
    await step('xdotool key F1', "xdotool type 'Small: listen'", 'xdotool key Return');
    const { info: quiet } = await step('xdotool key shift');
    assert.equal(quiet.meanwhile, undefined);
    await says(ide.sandbox, 'touch /workspace/now');
    await ide.until('the message', ({ marks }) => marks.find(({ name }) => name.includes('It is now.')));
    const { observation, info } = await step('xdotool key shift');
    assert.equal(info.meanwhile, 'notification "It is now."');
    assert.match(stepText(observation, info), /^before this step: notification "It is now\."\n/);
    assert.equal((await step('xdotool key shift')).info.meanwhile, undefined);
  });

  it('ends when the task has ended', async () => {
    const { observation, info } = await step('xdotool key ctrl+shift+b');
    assert.equal(info.settled.reason, 'quiet');
    assert.ok(shows(observation, 'built-42'), observation.marks.map(({ name }) => name).join(' | '));
  });

  slowIt(
    'does not wait again for a program that keeps running, and still waits for what an input begins',
    async () => {
      using usual = new Session(ide.sandbox, { settleCapMs: 4000 });
      await usual.observe({ signal: signal() });
      const settled = async (...lines: string[]) =>
        (await usual.step(lines, { signal: signal() })).info.settled;
      await settled('xdotool key ctrl+shift+grave');
      await ide.until('a prompt', ({ marks }) => marks.find(({ role }) => role === 'terminal line'));
      // With builtins alone: between two children of a loop no process is in the foreground, and Ctrl+C is lost.
      await settled("xdotool type 'while ! read -t 0.05; do echo $RANDOM; done'", 'xdotool key Return');
      const { reason, busy } = await poll(
        'a step that names the animated terminal',
        async () => {
          const next = await settled('xdotool key shift');
          return next.reason === 'quiet' && next.busy.length > 0
            ? { done: true, value: next }
            : { done: false, saw: next.busy.join() };
        },
        { intervalMs: 10, signal: signal() },
      );
      assert.deepEqual(
        [reason, busy.some((what) => what.startsWith('drawing at'))],
        ['quiet', true],
        busy.join(),
      );
      const { observation } = await usual.step('xdotool key F1', { signal: signal() });
      assert.equal(observation.focus?.role, 'textbox');
      await settled('xdotool key Escape');
      await settled('xdotool key ctrl+grave');
      await settled('xdotool key ctrl+grave');
      await settled('xdotool key ctrl+c');
      await poll(
        'a step that names nothing',
        async () => {
          const next = await settled('xdotool key shift');
          return next.reason === 'quiet' && next.busy.length === 0
            ? { done: true, value: undefined }
            : { done: false, saw: next.busy.join() };
        },
        { intervalMs: 10, signal: signal() },
      );
    },
  );

  slowIt('waits beyond the cap for a window that its input reloads', async () => {
    using hasty = new Session(ide.sandbox, { settleCapMs: 700 });
    await hasty.observe({ signal: signal() });
    const lines = ['xdotool key F1', "xdotool type 'Developer: Reload Window'", 'xdotool key Return'];
    const { observation, info } = await hasty.step(lines, { signal: signal() });
    assert.ok(info.settled.ms > 700, `${info.settled.ms} ms`);
    assert.ok(observation.marks.some(({ role }) => role === 'treeitem' || role === 'tab'));
    assert.match(info.outcomes.at(-1)?.evidence ?? '', /the window was reloaded/);
  });
});
