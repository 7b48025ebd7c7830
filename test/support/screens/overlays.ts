import { command, escape, openFile, type Screen } from './screen.ts';

/** Screens that lie over the rest. */
export const overlays: Readonly<Record<string, Screen>> = {
  'quick open': {
    async open(ide) {
      await ide.key('ctrl+p');
      await ide.type('app');
      await ide.find('option', /^app\.js/);
    },
    shown: [
      ['textbox', /./],
      ['option', /^app\.js/],
    ],
    close: escape,
  },
  'command palette': {
    async open(ide) {
      await ide.key('F1');
      await ide.type('save all');
      await ide.find('option', /File: Save All/);
    },
    shown: [
      ['textbox', /./],
      ['option', /^File: Save All/],
    ],
    close: escape,
  },
  'settings editor': {
    async open(ide) {
      await ide.key('ctrl+comma');
      await ide.type('auto save');
      await ide.find('checkbox', /^files\.autoSaveWhenNoErrors/);
    },
    modal: true,
    shown: [
      ['textbox', /^Search settings/],
      ['button', /^Clear Settings Search/],
      ['button', /^Filter Settings/],
      ['button', /^Open Settings \(JSON\)/],
      ['button', /^Close Modal Editor/],
      ['tab', /^User/],
      ['tab', /^Workspace/],
      ['treeitem', /^Text Editor/],
      ['treeitem', /^Files Auto Save\./],
      ['combobox', /^files\.autoSave$/],
      ['spinbutton', /^files\.autoSaveDelay/],
      ['checkbox', /^files\.autoSaveWhenNoErrors/],
      ['link', /^Files: Auto Save/],
    ],
    async close(ide) {
      await ide.key('Escape');
      await ide.key('Escape');
    },
  },
  'list setting': {
    async open(ide) {
      await ide.key('ctrl+comma');
      await ide.type('files.exclude');
      const row = await ide.find('listitem', /Thumbs\.db/);
      await ide.observeStill();
      await ide.click(row);
    },
    modal: true,
    shown: [
      ['listitem', /^Exclude files matching .*\.git`/],
      ['listitem', /^Exclude files matching .*Thumbs\.db/],
      ['button', /^Edit Exclude Item/],
      ['button', /^Remove Exclude Item/],
      ['button', /^Add Pattern/],
      ['link', /^glob patterns/],
    ],
    async close(ide) {
      await ide.key('Escape');
      await ide.key('Escape');
    },
  },
  'define keybinding': {
    async open(ide) {
      await ide.key('ctrl+k');
      await ide.key('ctrl+s');
      await ide.find('textbox', /^Type to search in keybindings/);
      await ide.type('list.find');
      const row = await ide.find('listitem', /^list\.find, F3/);
      await ide.observeStill();
      await ide.click(row, 1, 2);
      await ide.find('dialog', /^Press desired key combination/);
      await ide.key('ctrl+p');
      await ide.find('button', /existing commands/);
    },
    modal: true,
    shown: [
      ['dialog', /^Press desired key combination.*Ctrl.*P.*3 existing commands have this keybinding/],
      ['textbox', /^Press desired key combination/],
      ['button', /^3 existing commands have this keybinding/],
    ],
    async close(ide) {
      for (let i = 0; i < 3; i += 1) await ide.key('Escape');
    },
  },
  'context menu': {
    async open(ide) {
      await ide.key('ctrl+shift+e');
      await ide.click(await ide.find('treeitem', /^README/), 3);
      await ide.find('menuitem', /^Rename/);
    },
    modal: true,
    shown: [
      ['menuitem', /^Open Preview/],
      ['menuitem', /^Open to the Side/],
      ['menuitem', /^Open With/],
      ['menuitem', /^Cut/],
      ['menuitem', /^Copy Ctrl/],
      ['menuitem', /^Copy Path/],
      ['menuitem', /^Rename/],
      ['menuitem', /^Delete Permanently/],
    ],
    close: escape,
  },
  notification: {
    async open(ide) {
      await command(ide, 'Programming with Pixels: Show Connection');
      await ide.find('button', /^Copy Command/);
    },
    shown: [
      ['button', /^Copy Command/],
      ['dialog', /listens on/],
    ],
  },
  dialog: {
    async open(ide) {
      await openFile(ide, 'new.txt');
      await ide.find('line', /^new$/);
      await ide.type('x');
      await ide.find('line', /^xnew$/);
      await command(ide, 'View: Close Editor');
      await ide.find('button', /^Save$/);
    },
    modal: true,
    shown: [
      ['dialog', /save the changes.*Your changes will be lost/],
      ['button', /^Save$/],
      ['button', /^Don't Save/],
      ['button', /^Cancel/],
      ['button', /^Close Dialog/],
    ],
    async close(ide) {
      await ide.click(await ide.find('button', /^Don't Save/));
    },
  },
};
