import { AgentFiles, Keybindings, keyDoesNotRun, keyRuns, report } from '/opt/pwp/grade/checks.mjs';

const bindings = await Keybindings.read(new AgentFiles());
const tree = {
  listFocus: true,
  listSupportsFind: true,
  filesExplorerFocus: true,
  explorerViewletVisible: true,
};
const treeAndEditor = { ...tree, editorIsOpen: true };
const editor = { editorFocus: true, editorTextFocus: true, textInputFocus: true, editorIsOpen: true };
await report([
  ...[tree, treeAndEditor].flatMap((context) => [
    keyDoesNotRun(bindings, 'ctrl+f', 'list.find', context),
    keyRuns(bindings, 'ctrl+alt+f', 'list.find', context),
  ]),
  keyRuns(bindings, 'ctrl+f', 'actions.find', editor),
]);
