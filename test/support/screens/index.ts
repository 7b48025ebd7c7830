import { shell } from '../../../bridge/protocol/index.ts';
import type { Ide } from '../ide-sandbox.ts';
import { makeRepository } from './workspace.ts';

export { workspace } from './workspace.ts';

/** One state of the IDE and what a person would click there. */
export interface Screen {
  open(ide: Ide): Promise<void>;
  close?(ide: Ide): Promise<void>;
  /** Role and name of every element that a person would click, beside those of the frame around it. */
  readonly shown: readonly (readonly [role: string, name: RegExp])[];
}

/** What stands around every screen. */
export const frame: Screen['shown'] = [
  ['tab', /^Explorer/],
  ['tab', /^Search/],
  ['tab', /^Source Control/],
  ['tab', /^Run and Debug/],
  ['tab', /^Extensions/],
];

export async function prepare(ide: Ide): Promise<void> {
  await ide.sandbox.call(shell.run, { command: makeRepository }, AbortSignal.timeout(20_000));
}

async function command(ide: Ide, name: string): Promise<void> {
  await ide.key('F1');
  await ide.type(name);
  await ide.find('option', new RegExp(name.split(': ').at(-1) ?? name));
  await ide.observeStill();
  await ide.key('Return');
}

async function openFile(ide: Ide, name: string): Promise<void> {
  await ide.key('ctrl+p');
  await ide.type(name);
  await ide.find('option', new RegExp(`^${name.split('/').at(-1)?.split(':')[0] ?? name}`));
  await ide.observeStill();
  await ide.key('Return');
}

/** Opens a file and puts the caret into a line. */
async function openAt(ide: Ide, name: string, line: number): Promise<void> {
  await openFile(ide, name);
  await ide.key('ctrl+g');
  await ide.type(`${line}\n`);
  await ide.find('button', new RegExp(`^Ln ${line}, Col`));
}

export const screens: Readonly<Record<string, Screen>> = {
  'editor-explorer': {
    async open(ide) {
      await command(ide, 'View: Close All Editors');
      await ide.key('ctrl+shift+e');
      await openFile(ide, 'src/app.js');
      await ide.find('line', /function total/);
    },
    shown: [],
  },
  terminal: {
    async open(ide) {
      await command(ide, 'View: Toggle Terminal');
      await ide.find('terminal line', /workspace/);
      await ide.type('git status\n');
    },
    shown: [],
  },
  'quick-open': {
    async open(ide) {
      await ide.key('ctrl+p');
      await ide.type('app');
      await ide.find('option', /app\.js/);
    },
    close: (ide) => ide.key('Escape'),
    shown: [],
  },
  'command-palette': {
    async open(ide) {
      await ide.key('F1');
      await ide.type('debug');
      await ide.find('option', /Debug/);
    },
    close: (ide) => ide.key('Escape'),
    shown: [],
  },
  settings: {
    async open(ide) {
      await ide.key('ctrl+comma');
      await ide.type('auto save');
      await ide.find('checkbox', /files.autoSaveWhenNoErrors/);
    },
    async close(ide) {
      await ide.key('Escape');
      await ide.key('Escape');
    },
    shown: [],
  },
  search: {
    async open(ide) {
      await ide.key('ctrl+shift+f');
      await ide.type('greet\n');
      await ide.find('treeitem', /greet/);
    },
    shown: [],
  },
  'source-control': {
    async open(ide) {
      await ide.key('ctrl+shift+g');
      await ide.key('g');
      await ide.click(await ide.find('treeitem', /greet\.js/));
      await ide.find('line', /good day/);
    },
    shown: [],
  },
  'debug-paused': {
    async open(ide) {
      await openAt(ide, 'src/app.js', 4);
      await ide.find('line', /let sum/);
      await ide.key('F9');
      await ide.key('F5');
      await ide.until('the pause', ({ marks }) => marks.find(({ name }) => /^Step Over/.test(name)));
      await ide.find('treeitem', /total/);
    },
    async close(ide) {
      await ide.key('shift+F5');
      await ide.key('F9');
    },
    shown: [],
  },
  'context-menu': {
    async open(ide) {
      await ide.key('ctrl+shift+e');
      await ide.click(await ide.find('treeitem', /README/), 3);
      await ide.find('menuitem', /^Rename/);
    },
    close: (ide) => ide.key('Escape'),
    shown: [],
  },
  'dialog-notification': {
    async open(ide) {
      await openFile(ide, 'README.md');
      await ide.find('line', /Screens/);
      await ide.type('x');
      await command(ide, 'Programming with Pixels: Show Connection');
      await ide.until('toast', ({ marks }) =>
        marks.find(({ box, name }) => box.y > 700 && /\.sock/.test(name)),
      );
      await command(ide, 'View: Close Editor');
      await ide.find('button', /^Save/);
    },
    async close(ide) {
      await ide.key('Escape');
      await command(ide, 'File: Revert File');
    },
    shown: [],
  },
  preview: {
    async open(ide) {
      await openFile(ide, 'README.md');
      await ide.find('line', /# Screens/);
      await ide.key('ctrl+shift+v');
      await ide.find('link', /the source/);
    },
    shown: [],
  },
  'problems-suggest': {
    async open(ide) {
      await openFile(ide, 'src/broken.json');
      await ide.find('line', /"a"/);
      await ide.key('ctrl+shift+m');
      await ide.find('treeitem', /Value expected|Property expected/);
      await openAt(ide, 'src/app.js', 9);
      await ide.find('line', /Barbara/);
      await ide.key('ctrl+space');
      await ide.find('option', /./);
    },
    close: (ide) => ide.key('Escape'),
    shown: [],
  },
  'find-hover': {
    async open(ide) {
      await openAt(ide, 'src/app.js', 10);
      await ide.key('ctrl+f');
      await ide.type('greet');
      await ide.key('Escape');
      await ide.key('ctrl+f');
      await ide.key('ctrl+h');
      await ide.observeStill();
    },
    close: (ide) => ide.key('Escape'),
    shown: [],
  },
  hover: {
    async open(ide) {
      await openAt(ide, 'src/app.js', 3);
      await ide.key('ctrl+k');
      await ide.key('ctrl+i');
      await ide.observeStill();
    },
    close: (ide) => ide.key('Escape'),
    shown: [],
  },
  peek: {
    async open(ide) {
      await openAt(ide, 'src/app.js', 3);
      await ide.key('shift+F12');
      await ide.find('treeitem', /total/);
    },
    close: (ide) => ide.key('Escape'),
    shown: [],
  },
  notebook: {
    async open(ide) {
      await openFile(ide, 'notes.ipynb');
      await ide.observeStill();
    },
    shown: [],
  },
  extensions: {
    async open(ide) {
      await ide.key('ctrl+shift+x');
      await ide.observeStill();
    },
    shown: [],
  },
};
