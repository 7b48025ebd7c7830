import assert from 'node:assert/strict';
import { fileTools, ideTools, type ToolOutput } from '../../../bridge/protocol/index.ts';
import { onOneNode } from '../../support/each-node.ts';
import { slowIt } from '../../support/slow.ts';
import { ToolIde } from '../../support/tool-ide.ts';
import { packVsix } from '../../support/vsix.ts';

const { getErrors, getSettings, setSetting, listExtensions, manageExtension } = ideTools;
const { listCommands, runCommand, listKeybindings } = ideTools;

const slowStart = 'exports.activate = () => new Promise((started) => setTimeout(started, 2000));';

onOneNode('IDE tools, in a real IDE', (open) => {
  let ide: ToolIde;
  before(async () => {
    ide = await ToolIde.start(open, {
      'stock.ts': 'export const count: number = 3;\n',
      'user.ts': "import { count } from './stock.ts';\nexport const name: string = count;\n",
      'stock.py': 'count = = 3\n',
      'data.json': '{ "a": 1,, }\n',
      'plain.txt': 'one\n',
      'tsconfig.json':
        '{ "compilerOptions": { "strict": true, "noEmit": true, "allowImportingTsExtensions": true } }\n',
    });
  });
  after(() => ide[Symbol.asyncDispose]());

  describe('get_errors', () => {
    it('returns fresh problems of a file that was never opened', async () => {
      const answer = await ide.call(getErrors, { paths: ['user.ts'] });
      assert.deepEqual(
        answer.files.map(({ path, state }) => [path, state]),
        [['user.ts', 'fresh']],
      );
      assert.match(answer.problems[0]?.message ?? '', /not assignable to type 'string'/);
      assert.deepEqual([answer.total, answer.errors], [1, 1]);
    });

    it('follows an edit of another file, without an edit of the file itself', async () => {
      await ide.call(fileTools.writeFile, {
        path: 'stock.ts',
        content: "export const count = 'three';\n",
        wait_ms: 0,
      });
      const mended = await ide.call(getErrors, { paths: ['user.ts', 'stock.ts'] });
      assert.deepEqual([mended.total, mended.files.length], [0, 2]);
      assert.ok(mended.files.every(({ state }) => state === 'fresh'));
    });

    it('knows at once that a file was created, renamed or deleted', async () => {
      const { writeFile, renameFile, deleteFile } = fileTools;
      const total = async () => {
        const { total: found, files } = await ide.call(getErrors, { paths: ['importer.ts'] });
        assert.equal(files[0]?.state, 'fresh', files[0]?.why);
        return found;
      };
      await ide.call(writeFile, { path: 'importer.ts', content: "export * from './first.ts';\n" });
      assert.equal(await total(), 1);
      await ide.call(writeFile, { path: 'first.ts', content: 'export const one = 1;\n', wait_ms: 0 });
      assert.equal(await total(), 0);
      await ide.call(renameFile, { path: 'first.ts', new_path: 'second.ts' });
      assert.equal(await total(), 1);
      await ide.call(deleteFile, { path: 'second.ts' });
      assert.equal(await total(), 1);
    });

    it('knows what a publish-only server has reported on a text, and on its next version', async () => {
      await ide.call(runCommand, { command: 'vscode.open', arguments: [{ $uri: 'data.json' }] });
      const first = await ide.call(getErrors, { paths: ['data.json'] });
      assert.equal(first.files[0]?.state, 'fresh', first.files[0]?.why);
      assert.ok(first.total > 0);
      // A second call finds nothing new, and is answered at once.
      const second = await ide.call(getErrors, { paths: ['data.json'] });
      assert.deepEqual([second.files[0]?.state, second.total], ['fresh', first.total]);
      await ide.call(fileTools.writeFile, { path: 'data.json', content: '{ "a": 1 }\n', wait_ms: 0 });
      const third = await ide.call(getErrors, { paths: ['data.json'] });
      assert.deepEqual([third.files[0]?.state, third.total], ['fresh', 0], third.files[0]?.why);
    });

    it('names files that nothing checks, and checks all open files of a folder', async () => {
      const [plain] = (await ide.call(getErrors, { paths: ['plain.txt'] })).files;
      assert.equal(plain?.state, 'none');
      const all = await ide.call(getErrors, {});
      assert.ok(all.files.some(({ path }) => path === 'data.json'));
      assert.equal(all.not_checked, 0);
      await ide.bash(`printf 'a = 1\\0\\0\\n' > binary.py`);
      const beside = await ide.answer(getErrors, {});
      assert.match(beside.text, /^1 files were not looked at/m);
      assert.equal(beside.effect, 'partial');
      await ide.bash('rm binary.py');
      await ide.refused('outside-workspace', getErrors, { paths: ['../etc/passwd'] });
      await ide.refused('not-found', getErrors, { paths: ['gone.ts'] });
    });
  });

  describe('settings', () => {
    it('are returned by name or part of it, with the value of each scope', async () => {
      const { settings } = await ide.call(getSettings, { keys: ['editor.tabSize'] });
      assert.deepEqual(
        [settings[0]?.effective, settings[0]?.default, settings[0]?.source],
        [4, 4, 'default'],
      );
      const found = await ide.call(getSettings, { query: 'autosavedelay' });
      assert.deepEqual(
        found.settings.map(({ key }) => key),
        ['files.autoSaveDelay'],
      );
      await ide.refused('not-found', getSettings, { keys: ['no.such.setting'] });
      await ide.refused('bad-arguments', getSettings, {});
    });

    it('are written to one scope, and a stronger one is reported', async () => {
      const set = await ide.answer(setSetting, { key: 'editor.tabSize', value: 2, scope: 'workspace' });
      assert.equal(set.effect, 'confirmed');
      assert.match((await ide.onDisk('.vscode/settings.json')) ?? '', /"editor\.tabSize": 2/);
      const hidden = await ide.answer(setSetting, { key: 'editor.tabSize', value: 8 });
      assert.equal(hidden.effect, 'partial');
      const { settings } = await ide.call(getSettings, { keys: ['editor.tabSize'] });
      const [one] = settings;
      assert.deepEqual([one?.default, one?.user, one?.workspace, one?.effective], [4, 8, 2, 2]);
      const gone = await ide.call(setSetting, { key: 'editor.tabSize', remove: true, scope: 'workspace' });
      assert.deepEqual([gone.before, gone.setting.effective], [2, 8]);
    });

    it('are written for one language, and others are left as they are', async () => {
      const key = 'editor.formatOnSave';
      await ide.call(setSetting, { key, value: true, language: 'python' });
      const python = await ide.call(getSettings, { keys: [key], language: 'python' });
      const others = await ide.call(getSettings, { keys: [key], language: 'typescript' });
      assert.deepEqual([python.settings[0]?.effective, others.settings[0]?.effective], [true, false]);
      assert.deepEqual(others.settings[0]?.languages, [{ language: 'python', scope: 'user', value: true }]);
    });

    it('refuse invalid values, and nothing is written', async () => {
      const before = await ide.call(getSettings, { keys: ['editor.tabSize', 'files.autoSave'] });
      for (const [key, value, said] of [
        ['editor.tabSize', 'four', /editor\.tabSize can't have this value: "four" is not a number/],
        ['editor.tabSize', 0, /0 is less than 1/],
        ['files.autoSave', 'always', /"always" is not one of "off", "afterDelay"/],
        ['editor.rulers', ['a'], /\[0\] = "a" is not a number/],
        ['files.associations', { '*.x': 1 }, /\["\*\.x"\] = 1 is not a text/],
      ] as const)
        assert.match(await ide.refused('bad-arguments', setSetting, { key, value }), said);
      await ide.refused('bad-arguments', setSetting, {
        key: 'editor.tabSize',
        value: 'x',
        language: 'python',
      });
      assert.deepEqual(await ide.call(getSettings, { keys: ['editor.tabSize', 'files.autoSave'] }), before);
      for (const [key, value] of [
        ['editor.rulers', [80, { column: 100, color: '#ff0000' }]],
        ['editor.quickSuggestions', { comments: 'on' }],
        ['editor.fontWeight', '450'],
      ] as const) {
        assert.equal((await ide.answer(setSetting, { key, value })).effect, 'confirmed', key);
        await ide.call(setSetting, { key, remove: true });
      }
    });

    it('that are not registered are refused', async () => {
      await ide.refused('not-found', setSetting, { key: 'no.such.setting', value: 1 });
      await ide.refused('bad-arguments', setSetting, { key: 'editor.tabSize' });
      await ide.refused('bad-arguments', setSetting, { key: 'editor.tabSize', value: 1, scope: 'folder' });
    });

    it('that their scope or language cannot have are refused', async () => {
      const theme = { key: 'workbench.colorTheme', value: 'Dark Modern' };
      const level = { key: 'telemetry.telemetryLevel', value: 'off' };
      for (const [given, said] of [
        [{ ...theme, language: 'python' }, /workbench\.colorTheme/],
        [{ ...level, scope: 'workspace' }, /telemetry\.telemetryLevel/],
      ] as const)
        assert.match(await ide.refused('bad-arguments', setSetting, given), said);
    });
  });

  describe('commands', () => {
    it('are found by id and title, and say which are guarded', async () => {
      const found = await ide.call(listCommands, { query: 'pwp.' });
      assert.match(
        found.commands.find(({ command }) => command === 'pwp.showConnection')?.title ?? '',
        /Show/,
      );
      const { commands } = await ide.call(listCommands, { query: 'toggle minimap' });
      assert.deepEqual(
        commands.map(({ command }) => command),
        ['editor.action.toggleMinimap'],
      );
      const reload = await ide.call(listCommands, { query: 'workbench.action.reloadWindow' });
      assert.match(reload.commands[0]?.guarded ?? '', /window/);
    });

    it('run with arguments of JSON and of VS Code, and return their result', async () => {
      const { result } = await ide.call(runCommand, {
        command: 'vscode.executeDefinitionProvider',
        arguments: [{ $uri: 'user.ts' }, { $position: { line: 2, column: 29 } }],
      });
      assert.match(JSON.stringify(result), /stock\.ts/);
    });

    it('that reload or replace the window, internal ones and unknown ones are refused', async () => {
      await ide.refused('guarded', runCommand, { command: 'workbench.action.reloadWindow' });
      await ide.refused('guarded', runCommand, { command: 'vscode.openFolder' });
      await ide.refused('guarded', runCommand, { command: '_extensionTests.getLogLevel' });
      await ide.refused('not-found', runCommand, { command: 'no.such.command' });
      await ide.refused('outside-workspace', runCommand, {
        command: 'vscode.open',
        arguments: [{ $uri: '/etc/passwd' }],
      });
      await ide.refused('bad-arguments', runCommand, {
        command: 'vscode.open',
        arguments: [{ $position: { line: 0 } }],
      });
    });

    it('that ask the user something are reported as running', async () => {
      const asked = await ide.answer(runCommand, {
        command: 'workbench.action.showCommands',
        timeout_ms: 5000,
      });
      assert.ok(['confirmed', 'partial'].includes(asked.effect));
      await ide.ide.key('Escape');
    });
  });

  describe('list_keybindings', () => {
    it("returns the defaults with the user's changes", async () => {
      const before = await ide.call(listKeybindings, { key: 'F3' });
      assert.ok(before.keybindings.some(({ command }) => command === 'editor.action.nextMatchFindAction'));
      assert.ok(before.keybindings.some(({ command }) => command === 'list.find'));
      await ide.bash(`cat > /ide/data/User/keybindings.json <<'END'
        // mine
        [{ "key": "f3", "command": "-list.find" },
         { "key": "Alt+Ctrl+Shift+F", "command": "list.find", "when": "listFocus" },]
END`);
      const after = await ide.call(listKeybindings, { key: 'f3' });
      assert.ok(!after.keybindings.some(({ command }) => command === 'list.find'));
      assert.ok(after.keybindings.some(({ command }) => command === 'editor.action.nextMatchFindAction'));
      assert.ok(after.removed.some(({ command }) => command === 'list.find'));
      const moved = await ide.call(listKeybindings, { command: 'list.find' });
      const [own] = moved.keybindings;
      assert.deepEqual(
        [own?.key, own?.command, own?.when, own?.source],
        ['ctrl+shift+alt+f', 'list.find', 'listFocus', 'user'],
      );
    });
  });

  describe('extensions', () => {
    it('are listed, those of VS Code on request', async () => {
      const all = await ide.call(listExtensions, { include_builtin: true, query: 'git' });
      assert.ok(all.extensions.some(({ id }) => id === 'vscode.git'));
      assert.ok(!(await ide.call(listExtensions, {})).extensions.some(({ id }) => id === 'vscode.git'));
    });

    slowIt(
      'are installed from a file and uninstalled; one that never answers leaves problems stale',
      async () => {
        await ide.bash(packVsix({ activationEvents: ['onLanguage:plaintext'] }, slowStart));
        const installed = await ide.call(manageExtension, { action: 'install', vsix: 'small.vsix' });
        assert.equal(installed.changed, true);
        // It activates slowly, for plain text, and never reports a problem.
        const answer = await ide.answer(getErrors, { paths: ['plain.txt'], wait_ms: 300 });
        const { files } = answer.result as ToolOutput<typeof getErrors>;
        assert.deepEqual([files[0]?.state, answer.effect], ['stale', 'partial']);
        assert.match(answer.text, /plain\.txt: stale: .*300 ms/);
        const again = await ide.answer(manageExtension, { action: 'install', id: 'tests.small' });
        assert.equal(again.effect, 'no-effect');
        const gone = await ide.call(manageExtension, { action: 'uninstall', id: 'tests.small' });
        assert.equal(gone.changed, true);
        assert.match(gone.note, /^uninstalled tests\.small; it keeps running until the window is reloaded/);
      },
    );

    it("say what can't be done", async () => {
      const why = await ide.refused('not-supported', manageExtension, {
        action: 'disable',
        id: 'vscode.git',
      });
      assert.match(why, /Extensions view/);
      await ide.refused('bad-arguments', manageExtension, { action: 'enable' });
    });
  });

  it('settings of an unknown language are neither read nor written', async () => {
    const given = { key: 'editor.tabSize', language: 'pyhton' };
    assert.match(await ide.refused('bad-arguments', setSetting, { ...given, value: 2 }), /"pyhton".*python/);
    await ide.refused('bad-arguments', getSettings, { keys: [given.key], language: given.language });
  });

  it('a setting that already has the requested value is not changed', async () => {
    assert.equal((await ide.answer(setSetting, { key: 'editor.rulers', remove: true })).effect, 'no-effect');
  });

  it('missing files are not opened or installed, and an unknown key is refused', async () => {
    const missing = { command: 'vscode.open', arguments: [{ $uri: 'nothing.ts' }] };
    assert.match(await ide.refused('not-found', runCommand, missing), /nothing\.ts/);
    await ide.refused('not-found', manageExtension, { action: 'install', vsix: 'nothing.vsix' });
    const text = { action: 'install', vsix: 'plain.txt' } as const;
    assert.match(await ide.refused('bad-arguments', manageExtension, text), /plain\.txt is not an extension/);
    assert.match(await ide.refused('bad-arguments', listKeybindings, { key: 'ctlr+s' }), /ctlr/);
  });
});
