import { escape, openAt, openFile, type Screen, type Target } from './screen.ts';

/** An editor with `app.js`. */
const app: readonly Target[] = [
  ['tab', /^app\.js/],
  ['breadcrumb', /^src/],
  ['breadcrumb', /^app\.js/],
  ['textbox', /^app\.js/],
  ['minimap', /./],
  ['gutter', /^line 3\b/],
  ['line', /function total/],
  ['button', /^Split Editor/],
  ['button', /^More Actions/],
  ['button', /^Ln \d+, Col \d+/],
  ['button', /^Spaces: 2/],
  ['button', /^UTF-8/],
  ['button', /^LF/],
  ['button', /^JavaScript/],
];

export const editing: Readonly<Record<string, Screen>> = {
  'editor and explorer': {
    async open(ide) {
      await openFile(ide, 'src/app.js');
      await ide.find('line', /function total/);
      await ide.key('ctrl+shift+e');
      await ide.find('treeitem', /^greet\.js/);
    },
    shown: [
      ...app,
      ['button', /^Explorer Section/],
      ['treeitem', /^\.vscode/],
      ['treeitem', /^src/],
      ['treeitem', /^app\.js/],
      ['treeitem', /^greet\.js/],
      ['treeitem', /^broken\.json/],
      ['treeitem', /^new\.txt/],
      ['treeitem', /^notes\.ipynb/],
      ['treeitem', /^README\.md/],
      ['button', /^Outline Section/],
      ['button', /^Timeline Section/],
      ['button', /^Close/],
    ],
  },
  terminal: {
    async open(ide) {
      await ide.key('ctrl+grave');
      await ide.find('terminal line', /workspace#/);
      await ide.type('git status\n');
      await ide.find('terminal line', /On branch main/);
    },
    shown: [
      ['tab', /^Problems/],
      ['tab', /^Output/],
      ['tab', /^Debug Console/],
      ['tab', /^Terminal/],
      ['tab', /^Ports/],
      ['button', /^New Terminal/],
      ['button', /^Launch Profile/],
      ['button', /^Split Terminal/],
      ['button', /^Kill Terminal/],
      ['button', /^Maximize Panel/],
      ['button', /^Hide Panel/],
      ['terminal line', /git status/],
      ['terminal line', /modified: +src\/greet\.js/],
    ],
    close: (ide) => ide.key('ctrl+grave'),
  },
  'find, replace and problems': {
    async open(ide) {
      await openFile(ide, 'src/broken.json');
      await ide.find('line', /"a"/);
      await ide.key('ctrl+shift+m');
      await ide.find('treeitem', /expected/);
      await openAt(ide, 'src/app.js', 10);
      await ide.key('ctrl+h');
      await ide.find('textbox', /^Replace/);
    },
    shown: [
      ['textbox', /^Find/],
      ['textbox', /^Replace/],
      ['button', /^Toggle Replace/],
      ['checkbox', /^Match Case/],
      ['checkbox', /^Match Whole Word/],
      ['checkbox', /^Use Regular Expression/],
      ['checkbox', /^Preserve Case/],
      ['button', /^Previous Match/],
      ['button', /^Next Match/],
      ['button', /^Replace \(/],
      ['button', /^Replace All/],
      ['button', /^Close \(Escape/],
      ['treeitem', /file broken\.json/],
      ['treeitem', /^Error: .*expected/],
      ['textbox', /^Filter Problems/],
      ['button', /^Errors: \d/],
    ],
    close: escape,
  },
  suggestions: {
    async open(ide) {
      await openAt(ide, 'src/app.js', 9);
      await ide.key('ctrl+space');
      await ide.find('option', /^greet/);
    },
    shown: [...app, ['option', /^greet/], ['option', /^names/], ['option', /^total/]],
    close: escape,
  },
  'HTML preview': {
    async open(ide) {
      await openFile(ide, 'README.md');
      await ide.find('line', /# Screens/);
      await ide.key('ctrl+shift+v');
      await ide.find('link', /^the source/);
    },
    shown: [
      ['link', /^the source/],
      ['link', /^the site/],
      ['tab', /README/],
      ['button', /source file/],
    ],
  },
};
