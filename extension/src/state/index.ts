import { ide } from '../../../bridge/protocol/index.ts';
import type { Handlers } from '../../../bridge/rpc/index.ts';
import { diagnostics } from './diagnostics.ts';
import { editor } from './editor.ts';
import { extensions } from './extensions.ts';
import { info } from './info.ts';
import { settings } from './settings.ts';
import { sourceControl } from './source-control.ts';
import { tabs } from './tabs.ts';
import type { Work } from './work.ts';
import { workspace } from './workspace.ts';

export { Work } from './work.ts';

/** Adds everything that the IDE says of itself. */
export function addState(handlers: Handlers, work: Work): Handlers {
  return handlers
    .add(ide.info, info)
    .add(ide.workspace, workspace)
    .add(ide.tabs, tabs)
    .add(ide.editor, editor)
    .add(ide.diagnostics, diagnostics)
    .add(ide.sourceControl, sourceControl)
    .add(ide.work, () => work.read())
    .add(ide.settings, settings)
    .add(ide.extensions, extensions);
}
