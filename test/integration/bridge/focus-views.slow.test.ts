import assert from 'node:assert/strict';
import { poll } from '../../../bridge/lib/index.ts';
import { openLocal } from '../../support/each-node.ts';
import { Ide } from '../../support/ide-sandbox.ts';

/** Keys pressed one after the other, and VS Code's own id of the part that has the keyboard focus then. */
const places: readonly (readonly [keys: string, view: string])[] = [
  ['ctrl+shift+e', 'workbench.view.explorer'],
  ['Down Return', 'workbench.parts.editor'],
  ['F2 x', 'rename'],
  ['Escape ctrl+shift+f', 'workbench.view.search'],
  ['ctrl+shift+g', 'workbench.view.scm'],
  ['ctrl+shift+d', 'workbench.view.debug'],
  ['ctrl+shift+x', 'workbench.view.extensions'],
  ['ctrl+shift+m', 'workbench.panel.markers'],
  ['ctrl+grave', 'terminal'],
  ['ctrl+1', 'workbench.parts.editor'],
  ['F1', 'quickInput'],
  ['Escape ctrl+k ctrl+s', 'keybindings'],
  ['Escape ctrl+comma', 'settings'],
];

describe('the keyboard focus', () => {
  let ide: Ide;
  before(async () => (ide = await Ide.start(openLocal, { 'a.py': 'value = 1\nvalue\n' })));
  after(() => ide[Symbol.asyncDispose]());

  for (const [keys, view] of places) {
    it(`is in ${view} after ${keys}`, async () => {
      for (const key of keys.split(' ')) await ide.key(key);
      const probe = async () => {
        const { focus } = await ide.observe();
        const saw = JSON.stringify(focus);
        return focus?.view === view
          ? ({ done: true, value: focus } as const)
          : ({ done: false, saw } as const);
      };
      const focus = await poll(view, probe, { intervalMs: 100, signal: AbortSignal.timeout(5000) });
      assert.equal(focus.view, view);
    });
  }
});
