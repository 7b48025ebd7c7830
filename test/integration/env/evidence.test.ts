import assert from 'node:assert/strict';
import { type Action, type ActionOutcome, Session } from '../../../host/ide/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';
import { slowIt } from '../../support/slow.ts';

onOneNode('the evidence of a step, in a real IDE', (open) => {
  let ide: Ide;
  let session: Session;
  const owned = new AsyncDisposableStack();
  const signal = () => AbortSignal.timeout(90_000);

  before(async () => {
    ide = owned.use(await Ide.start(open, { 'one.txt': 'one\n', 'two.txt': 'two\n' }));
    session = owned.use(new Session(ide.sandbox, { settleCapMs: 20_000 }));
    await session.settle({ signal: signal() });
    await session.observe({ signal: signal() });
  });
  after(() => owned.disposeAsync());

  async function last(...lines: (string | Action)[]): Promise<ActionOutcome> {
    const { info } = await session.step(lines, { signal: signal() });
    const outcome = info.outcomes.at(-1);
    assert.ok(outcome && info.skipped.length === 0, JSON.stringify(info.outcomes));
    assert.ok(outcome.evidence.length <= 400, outcome.evidence);
    return outcome;
  }

  function says(outcome: ActionOutcome, words: RegExp): void {
    assert.deepEqual([outcome.effect, words.test(outcome.evidence)], ['confirmed', true], outcome.evidence);
  }

  /** Returns when the setting is in effect. */
  async function set(key: string, value: unknown): Promise<void> {
    const call = {
      kind: 'tool',
      name: 'set_setting',
      arguments: { key, value, scope: 'workspace' },
    } as const;
    const { info } = await session.step(call, { signal: signal() });
    assert.equal(info.outcomes[0]?.effect, 'confirmed', info.outcomes[0]?.evidence);
  }

  /** Leaves the focus in the first control of the settings found. */
  async function toSetting(id: string): Promise<void> {
    await last('xdotool key ctrl+comma');
    await ide.until('the search box', ({ focus }) => focus?.editable || undefined);
    await last('xdotool key ctrl+a', `xdotool type '@id:${id}'`);
    await last('xdotool key Down');
    await last('xdotool key Return');
  }

  slowIt('names the dialog that keeps a key from its command', async () => {
    await last('xdotool key ctrl+comma');
    await ide.until('the search box', ({ focus }) => focus?.editable || undefined);
    const key = await last('xdotool key F1');
    await last('xdotool key Escape');
    // VS Code continues to change its page for a while, invisibly.
    assert.match(key.effect, /^(no-effect|unverifiable)$/, key.evidence);
    assert.match(key.evidence, /: "Settings" lies over the window and takes the keys$/);
  });

  it('names the file that was opened, saved and closed', async () => {
    await last('xdotool key ctrl+p');
    await last('xdotool type one.txt');
    says(await last('xdotool key Return'), /^opened one\.txt/);
    await last("xdotool type 'x'");
    says(await last('xdotool key ctrl+s'), /^saved one\.txt/);
    says(await last('xdotool key ctrl+w'), /^closed one\.txt/);
  });

  slowIt('says that the key that saves a file saved it, also in a batch', async () => {
    await last('xdotool key ctrl+p');
    await last('xdotool type two.txt');
    await last('xdotool key Return');
    for (let i = 0; i < 5; i += 1) {
      const { info } = await session.step(
        ["xdotool type 'y'", 'xdotool key ctrl+s', 'xdotool key ctrl+Home', 'xdotool key ctrl+End'],
        { signal: signal() },
      );
      const said = info.outcomes.map(({ evidence }) => /saved two\.txt/.test(evidence));
      assert.deepEqual(said, [false, true, false, false], JSON.stringify(info.outcomes));
    }
    await last('xdotool key ctrl+w');
  });

  slowIt('names the setting that was written, with its value', async () => {
    await toSetting('files.autoSaveDelay');
    await last('xdotool key ctrl+a');
    const typed = await last("xdotool type '500'");
    says(typed, /all 3 characters landed; .*setting files\.autoSaveDelay = 500/);
  });

  slowIt('says that a setting has yet to be written, unless it is by the end of the step', async () => {
    using hasty = new Session(ide.sandbox, { settleCapMs: 200 });
    await hasty.observe({ signal: signal() });
    await hasty.step('xdotool key ctrl+a', { signal: signal() });
    const { info } = await hasty.step("xdotool type '700'", { signal: signal() });
    const [outcome] = info.outcomes;
    assert.match(
      outcome?.evidence ?? '',
      /; VS Code has yet to write: settings\.json$|setting files\.autoSaveDelay = 700/,
    );
    assert.equal(outcome?.effect, 'confirmed');
    await session.flush({ signal: signal() });
    assert.doesNotMatch((await last('xdotool key Shift_L')).evidence, /has yet to/);
    says(await last('xdotool key ctrl+w'), /^closed Settings/);
  });

  slowIt('says that a key ticked a checkbox', async () => {
    await toSetting('editor.minimap.enabled');
    says(
      await last('xdotool key space'),
      /^setting editor\.minimap\.enabled = false; .*checkbox ".*" is now not checked/,
    );
    await last('xdotool key ctrl+w');
  });

  slowIt('says that a chord has begun, what it folds and pins, and that one is not a command', async () => {
    await last('xdotool key ctrl+n', "xdotool type 'a:\n  b\n  c\nd:\n  e\n'", 'xdotool key ctrl+Home');
    const { info } = await session.step(['xdotool key ctrl+k', 'xdotool key ctrl+0'], { signal: signal() });
    const [first, second] = info.outcomes;
    assert.ok(first && second);
    says(first, /^the first key of a chord: VS Code waits for the second one/);
    says(second, /^the editor shows lines 1, \d+: those between are folded/);
    says(
      await last('xdotool key ctrl+k', 'xdotool key ctrl+j'),
      /^the editor shows from line 1 on, nothing folded/,
    );
    says(await last('xdotool key ctrl+k', 'xdotool key shift+Return'), /^pinned /);
    says(await last('xdotool key ctrl+k', 'xdotool key shift+Return'), /^unpinned /);
    const unknown = await last('xdotool key ctrl+k', 'xdotool key ctrl+F12');
    assert.deepEqual(
      [unknown.effect, unknown.evidence],
      ['no-effect', 'VS Code says that these keys together are not a command'],
    );
  });

  slowIt('names the files that auto save has yet to write', async () => {
    await set('files.autoSaveDelay', 30_000);
    await set('files.autoSave', 'afterDelay');
    await last('xdotool key ctrl+p');
    await last('xdotool type two.txt');
    await last('xdotool key Return');
    assert.match((await last("xdotool type 'x'")).evidence, /VS Code has yet to write: two\.txt$/);
  });

  it('names the command that Return took, and quotes a notification', async () => {
    await last('xdotool key F1');
    await last("xdotool type 'programming with pixels show connection'");
    says(await last('xdotool key Return'), /^took ".*notification "This window listens on /);
    await last('xdotool key Escape');
  });

  slowIt('reports that a command still runs in the terminal', async () => {
    await last('xdotool key ctrl+grave');
    await ide.until('a prompt', ({ focus }) => (focus?.name.startsWith('Terminal') ? true : undefined));
    await session.settle({ signal: signal() });
    await last("xdotool type 'sleep 77'");
    says(await last('xdotool key Return'), /command "sleep 77" is still running in the terminal/);
    assert.doesNotMatch((await last('xdotool key ctrl+c')).evidence, /still running/);
  });

  slowIt('quotes the message of a dialog, which VS Code puts elsewhere if there is no detail', async () => {
    // With unsaved files VS Code asks about these first.
    await last('xdotool key ctrl+k', 'xdotool key s');
    const command = 'git init -q -b main .';
    await last({ kind: 'tool', name: 'shell', arguments: { command } });
    await ide.until('the repository', ({ marks }) => marks.find(({ name }) => /\(Git\) - main/.test(name)));
    await last('xdotool key ctrl+shift+g', 'xdotool key g');
    const { marks } = await session.observe({ signal: signal() });
    const field = marks.find(({ role, name }) => role === 'textbox' && name.startsWith('Message'));
    says(
      await last(`click [${field?.id}]`, "xdotool type 'all'", 'xdotool key ctrl+Return'),
      /dialog "There are no staged changes to commit/,
    );
    await last('xdotool key Escape');
  });

  slowIt('says that the window was reloaded', async () => {
    await last('xdotool key F1');
    await last("xdotool type 'developer: reload window'");
    says(await last('xdotool key Return'), /the window was reloaded/);
  });
});
