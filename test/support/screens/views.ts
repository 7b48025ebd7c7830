import { openAt, type Screen } from './screen.ts';

export const views: Readonly<Record<string, Screen>> = {
  search: {
    async open(ide) {
      await ide.key('ctrl+shift+f');
      await ide.type('greet\n');
      await ide.find('treeitem', /file greet\.js/);
    },
    shown: [
      ['textbox', /^Search/],
      ['button', /^Toggle Replace/],
      ['checkbox', /^Match Case/],
      ['checkbox', /^Match Whole Word/],
      ['checkbox', /^Use Regular Expression/],
      ['button', /^Toggle Search Details/],
      ['button', /^Collapse All/],
      ['treeitem', /file README\.md/],
      ['treeitem', /file app\.js/],
      ['treeitem', /file greet\.js/],
      ['treeitem', /function greet/],
    ],
  },
  'source control with diff': {
    async open(ide) {
      await ide.key('ctrl+shift+g');
      await ide.click(await ide.find('treeitem', /greet\.js/));
      await ide.find('line', /good day/);
    },
    shown: [
      ['textbox', /^Message/],
      ['button', /Commit/],
      ['button', /^More Actions/],
      ['treeitem', /^Changes/],
      ['treeitem', /new\.txt/],
      ['treeitem', /greet\.js/],
      ['tab', /greet\.js \(Working Tree\)/],
      ['line', /hello/],
      ['line', /good day/],
      ['button', /^Previous Change/],
      ['button', /^Next Change/],
      ['button', /^Open File/],
    ],
  },
  'paused debug session': {
    async open(ide) {
      await openAt(ide, 'src/app.js', 4);
      await ide.key('F9');
      await ide.find('gutter', /^line 4 breakpoint/);
      await ide.key('F5');
      await ide.until('the pause', ({ marks }) => marks.find(({ name }) => /^Step Over/.test(name)));
      await ide.find('treeitem', /total/);
    },
    async close(ide) {
      await ide.key('shift+F5');
      await ide.key('F9');
    },
    shown: [
      ['button', /^Continue/],
      ['button', /^Step Over/],
      ['button', /^Step Into/],
      ['button', /^Step Out/],
      ['button', /^Restart/],
      ['button', /^Stop/],
      ['button', /^Variables Section/],
      ['button', /^Watch Section/],
      ['button', /^Call Stack Section/],
      ['button', /^Breakpoints Section/],
      ['treeitem', /total/],
      ['gutter', /^line 4 .*breakpoint/],
    ],
  },
};
