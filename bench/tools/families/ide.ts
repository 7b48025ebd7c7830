import assert from 'node:assert/strict';
import { fileTools, ide, ideTools } from '../../../bridge/protocol/index.ts';
import { right, type ToolCase, wrong } from '../case.ts';
import { compilerErrors } from '../compiler.ts';
import type { Desk } from '../desk.ts';

const { getErrors, getSettings, setSetting, listExtensions, manageExtension } = ideTools;
const { listCommands, runCommand, listKeybindings } = ideTools;

const user = '/ide/data/User';
/** The user's settings.json, read from the disk. */
const written = async (desk: Desk) =>
  JSON.parse((await desk.sh(`cat ${user}/settings.json 2>/dev/null || echo '{}'`)) || '{}') as Record<
    string,
    unknown
  >;
const editorKey = 'editor.tabSize';

/** Tools of the IDE itself. */
export const ideCases: readonly ToolCase[] = [
  {
    tool: getErrors,
    right: [
      right('TypeScript, as its compiler finds them', async (desk) => {
        const given = { paths: ['src'], severity: 'error' as const, wait_ms: 60_000 };
        const { problems, files } = await desk.call(getErrors, given);
        const found = problems.map(({ path, line, code }) => `${path}:${line} ${code}`).sort();
        assert.deepEqual(found, await compilerErrors(desk));
        assert.ok(files.every(({ state }) => state === 'fresh'));
      }),
      right('Python: the line at which it fails', async (desk) => {
        const { problems } = await desk.call(getErrors, { paths: ['shop/broken.py'], wait_ms: 60_000 });
        const line = await desk.python(`import sys, traceback, shop.broken
try: shop.broken.price(1)
except NameError as error: print(traceback.extract_tb(error.__traceback__)[-1].lineno)`);
        assert.deepEqual([...new Set(problems.map((one) => one.line))], [line]);
      }),
      right('the whole workspace: each file with errors is found, or said to be unchecked', async (desk) => {
        const {
          problems,
          files,
          not_checked: left,
        } = await desk.call(getErrors, {
          wait_ms: 60_000,
          limit: 2000,
        });
        const paths = new Set(problems.map(({ path }) => path));
        const found = paths.has('src/broken.ts') && paths.has('shop/broken.py');
        assert.ok(found || left > 0, JSON.stringify([...paths, files]));
      }),
      right('a language that nothing checks', async (desk) => {
        const { result, text } = await desk.answer(getErrors, { paths: ['code.rb'] });
        assert.equal((result as { files: { state: string }[] }).files[0]?.state, 'none');
        assert.match(text, /ruby|nothing checks/i);
      }),
    ],
    wrong: [
      wrong('no such file', { paths: ['src/broke.ts'] }, 'not-found', /src\/broke\.ts/),
      wrong(
        'one of two is not there',
        { paths: ['src/lone.ts', 'src/broke.ts'] },
        'not-found',
        /src\/broke\.ts/,
      ),
      wrong('out of the workspace', { paths: ['/etc/passwd'] }, 'outside-workspace', /etc\/passwd/),
    ],
  },
  {
    tool: getSettings,
    right: [
      right('a value of the workspace, as its file has it', async (desk) => {
        const key = 'debug.openDebug';
        const { settings } = await desk.call(getSettings, { keys: [key] });
        const file = JSON.parse(await desk.sh('cat .vscode/settings.json')) as Record<string, unknown>;
        const { settings: truth } = await desk.ask(ide.settings, { keys: [key] });
        assert.deepEqual([settings[0]?.effective, settings[0]?.source], [file[key], 'workspace']);
        assert.deepEqual(settings[0]?.default, truth[0]?.defaultValue);
      }),
      right('by a text: all names have it', async (desk) => {
        const { settings, truncated } = await desk.call(getSettings, { query: 'tabsize', limit: 200 });
        assert.ok(settings.length > 0 && settings.every(({ key }) => /tabsize/i.test(key)));
        assert.equal(truncated, false);
      }),
      right('of a language', async (desk) => {
        const { settings } = await desk.call(getSettings, {
          keys: ['editor.insertSpaces'],
          language: 'makefile',
        });
        const { settings: truth } = await desk.ask(ide.settings, {
          keys: ['editor.insertSpaces'],
          language: 'makefile',
        });
        assert.equal(settings[0]?.effective, truth[0]?.effective);
      }),
    ],
    wrong: [
      wrong('no such setting', { keys: ['editor.tabsize'] }, 'not-found', /editor\.tabsize/),
      wrong(
        'one of two is not there',
        { keys: [editorKey, 'editor.nothing'] },
        'not-found',
        /editor\.nothing/,
      ),
      wrong('nothing asked', {}, 'bad-arguments', /keys|query/),
      wrong('no such language', { keys: [editorKey], language: 'pyhton' }, 'bad-arguments', /pyhton/),
    ],
  },
  {
    tool: setSetting,
    right: [
      right('of the user, as the file has it', async (desk) => {
        const { counts } = await desk.call(setSetting, { key: editorKey, value: 3 });
        assert.deepEqual([counts, (await written(desk))[editorKey]], [true, 3]);
      }),
      right('of a language', async (desk) => {
        await desk.call(setSetting, { key: editorKey, value: 5, language: 'python' });
        assert.deepEqual((await written(desk))['[python]'], { [editorKey]: 5 });
      }),
      right('one that the workspace overrides', async (desk) => {
        const { counts } = await desk.call(setSetting, {
          key: 'debug.openDebug',
          value: 'openOnSessionStart',
        });
        assert.deepEqual([counts, (await written(desk))['debug.openDebug']], [false, 'openOnSessionStart']);
      }),
      right('removed', async (desk) => {
        await desk.call(setSetting, { key: editorKey, remove: true });
        assert.equal((await written(desk))[editorKey], undefined);
      }),
      right('nothing to remove', async (desk) => {
        const { effect } = await desk.answer(setSetting, { key: editorKey, remove: true });
        assert.equal(effect, 'no-effect');
      }),
    ],
    wrong: [
      wrong('no such setting', { key: 'editor.tabsize', value: 2 }, 'not-found', /editor\.tabsize/),
      wrong('a text for a number', { key: editorKey, value: 'two' }, 'bad-arguments', /editor\.tabSize/),
      wrong('less than it may be', { key: editorKey, value: 0 }, 'bad-arguments', /1/),
      wrong('none of its values', { key: 'files.autoSave', value: 'always' }, 'bad-arguments', /afterDelay/),
      wrong('no such language', { key: editorKey, value: 2, language: 'pyhton' }, 'bad-arguments', /pyhton/),
      wrong(
        'one that no language overrides',
        { key: 'workbench.colorTheme', value: 'Dark Modern', language: 'python', scope: 'user' },
        'bad-arguments',
        /workbench\.colorTheme/,
      ),
      wrong(
        'one that a workspace can’t have',
        { key: 'telemetry.telemetryLevel', value: 'off', scope: 'workspace' },
        'bad-arguments',
        /telemetry\.telemetryLevel/,
      ),
      wrong(
        'of a folder in a window of one',
        { key: editorKey, value: 2, scope: 'folder' },
        'bad-arguments',
        /folder/,
      ),
      wrong('neither a value nor remove', { key: editorKey }, 'bad-arguments', /value|remove/),
      wrong('both', { key: editorKey, value: 2, remove: true }, 'bad-arguments', /value|remove/),
    ],
  },
  {
    tool: listExtensions,
    right: [
      right('those that VS Code has', async (desk) => {
        const { extensions } = await desk.call(listExtensions, { include_builtin: true });
        const { extensions: truth } = await desk.ask(ide.extensions, { includeBuiltin: true });
        assert.deepEqual(extensions.map(({ id }) => id).sort(), truth.map(({ id }) => id).sort());
      }),
      right('none of that name', async (desk) => {
        const { extensions } = await desk.call(listExtensions, { query: 'no such extension' });
        assert.deepEqual(extensions, []);
      }),
    ],
    wrong: [wrong('an unknown argument', { name: 'git' }, 'schema', /query/)],
  },
  {
    tool: manageExtension,
    right: [
      right('one that is there: nothing is done', async (desk) => {
        const { effect } = await desk.answer(manageExtension, { action: 'install', id: 'vscode.git' });
        assert.equal(effect, 'no-effect');
      }),
      right('one that is not there: nothing is done', async (desk) => {
        const { effect } = await desk.answer(manageExtension, { action: 'uninstall', id: 'bench.nothing' });
        assert.equal(effect, 'no-effect');
      }),
      right('from a file, and away again', async (desk) => {
        await desk.sh(vsix);
        const { id } = await desk.call(manageExtension, { action: 'install', vsix: 'small.vsix' });
        const has = async () =>
          (await desk.ask(ide.extensions, {})).extensions.some((one) => one.id === 'bench.small');
        await desk.until('the extension', has);
        assert.equal(id, 'bench.small');
        await desk.call(manageExtension, { action: 'uninstall', id: 'bench.small' });
        await desk.until('no extension', async () => !(await has()));
      }),
    ],
    wrong: [
      wrong('no such extension', { action: 'install', id: 'bench.nothing' }, 'failed', /bench\.nothing/),
      wrong('no such file', { action: 'install', vsix: 'smal.vsix' }, 'not-found', /smal\.vsix/),
      wrong('no extension', { action: 'install', vsix: 'notes.txt' }, 'bad-arguments', /notes\.txt/),
      wrong(
        'one of VS Code’s own',
        { action: 'uninstall', id: 'vscode.git' },
        'not-supported',
        /vscode\.git/,
      ),
      wrong('to disable', { action: 'disable', id: 'vscode.git' }, 'not-supported', /disable/),
      wrong('neither an id nor a file', { action: 'install' }, 'bad-arguments', /id/),
      wrong('no id', { action: 'install', id: 'nothing' }, 'schema', /id/),
    ],
  },
  {
    tool: listCommands,
    right: [
      right(
        'by words of its title; what it lists can be run',
        async (desk) => {
          const { commands, total } = await desk.call(listCommands, { query: 'toggle minimap' });
          assert.equal(commands[0]?.command, 'editor.action.toggleMinimap');
          assert.equal(total, commands.length);
        },
        { shapeOnly: 'all commands are only known to VS Code’s own call, which the tool uses' },
      ),
      right('a part, and that there is more', async (desk) => {
        const { commands, total, truncated } = await desk.call(listCommands, { limit: 5 });
        assert.deepEqual([commands.length, total > 1000, truncated], [5, true, true]);
      }),
      right('nothing', async (desk) => {
        const { total } = await desk.call(listCommands, { query: 'zzqqxx' });
        assert.equal(total, 0);
      }),
    ],
    wrong: [wrong('an unknown argument', { name: 'save' }, 'schema', /query/)],
  },
  {
    tool: runCommand,
    right: [
      right('a command that opens a file', async (desk) => {
        await desk.call(runCommand, { command: 'vscode.open', arguments: [{ $uri: 'src/main.ts' }] });
        const { groups } = await desk.ask(ide.tabs, {});
        assert.ok(groups.some(({ tabs }) => tabs.some(({ label, active }) => active && label === 'main.ts')));
      }),
      right('one that saves all', async (desk) => {
        await desk.call(fileTools.readFile, { path: 'src/main.ts' });
        await desk.call(runCommand, { command: 'type', arguments: [{ text: '// typed\n' }] });
        await desk.call(runCommand, { command: 'workbench.action.files.saveAll' });
        assert.equal(await desk.sh('head -1 src/main.ts'), '// typed\n');
        await desk.sh('git checkout -q src/main.ts');
      }),
      right('its result', async (desk) => {
        const { result } = await desk.call(runCommand, {
          command: 'vscode.executeDocumentSymbolProvider',
          arguments: [{ $uri: 'src/shapes.ts' }],
        });
        const names = (result as { name: string }[]).map(({ name }) => name).sort();
        assert.deepEqual(
          names,
          await desk.lines(
            `grep -ohE '^export (class|function|interface) [A-Za-z]+' src/shapes.ts | cut -d' ' -f3 | sort`,
          ),
        );
      }),
    ],
    wrong: [
      wrong('no such command', { command: 'workbench.action.files.saveAl' }, 'not-found', /saveAl/),
      wrong('one that is guarded', { command: 'workbench.action.reloadWindow' }, 'guarded', /reloadWindow/),
      wrong(
        'an address out of the workspace',
        { command: 'vscode.open', arguments: [{ $uri: '/etc/passwd' }] },
        'outside-workspace',
        /etc\/passwd/,
      ),
      wrong(
        'a broken position',
        {
          command: 'vscode.executeHoverProvider',
          arguments: [{ $uri: 'src/main.ts' }, { $position: { line: 0, column: 1 } }],
        },
        'bad-arguments',
        /position/,
      ),
      wrong(
        'a file that is not there',
        { command: 'vscode.open', arguments: [{ $uri: 'src/nothing.ts' }] },
        'not-found',
        /src\/nothing\.ts/,
      ),
    ],
  },
  {
    tool: listKeybindings,
    right: [
      right('those of the user, as the file has them', async (desk) => {
        await desk.sh(
          `echo '[{"key": "ctrl+alt+9", "command": "editor.action.toggleMinimap"}]' > ${user}/keybindings.json`,
        );
        const { keybindings } = await desk.call(listKeybindings, { command: 'toggleMinimap' });
        assert.deepEqual(
          keybindings.map(({ key, source }) => [key, source]),
          [['ctrl+alt+9', 'user']],
        );
        const { keybindings: byKey } = await desk.call(listKeybindings, { key: 'alt+ctrl+9' });
        assert.equal(byKey.length, 1);
        await desk.sh(`rm ${user}/keybindings.json`);
      }),
      right('a part, and that there is more', async (desk) => {
        const { keybindings, total, truncated } = await desk.call(listKeybindings, { limit: 3 });
        assert.deepEqual([keybindings.length, total > 300, truncated], [3, true, true]);
      }),
    ],
    wrong: [wrong('no such key', { key: 'ctlr+s' }, 'bad-arguments', /ctlr/)],
  },
];

/** The smallest extension that VS Code installs, packed by Python. */
const vsix = String.raw`python3 - <<'PROGRAM'
import json, zipfile
with zipfile.ZipFile('small.vsix', 'w') as file:
    file.writestr('extension/package.json', json.dumps({'name': 'small', 'publisher': 'bench', 'version': '1.0.0', 'engines': {'vscode': '^1.90.0'}}))
    file.writestr('extension.vsixmanifest', '''<?xml version="1.0"?><PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
<Metadata><Identity Language="en-US" Id="small" Version="1.0.0" Publisher="bench"/><DisplayName>small</DisplayName><Description>small</Description></Metadata>
<Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation><Dependencies/>
<Assets><Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/></Assets></PackageManifest>''')
    file.writestr('[Content_Types].xml', '<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="json" ContentType="application/json"/><Default Extension="vsixmanifest" ContentType="text/xml"/></Types>')
PROGRAM`;
