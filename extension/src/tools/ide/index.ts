import { ideTools } from '../../../../bridge/protocol/index.ts';
import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import type { WindowFacts } from '../window.ts';
import { listCommands, runCommand } from './commands.ts';
import { getErrors } from './errors.ts';
import { listExtensions, manageExtension } from './extensions.ts';
import { listKeybindings } from './keybindings.ts';
import { getSettings, setSetting } from './settings.ts';

/** Adds the tools of the IDE itself. */
export function addIde(handlers: ToolHandlers, { profile, reportedProblems }: WindowFacts): ToolHandlers {
  return handlers
    .add(ideTools.getErrors, (input, context) => getErrors(input, context, reportedProblems))
    .add(ideTools.getSettings, getSettings)
    .add(ideTools.setSetting, setSetting)
    .add(ideTools.listExtensions, listExtensions)
    .add(ideTools.manageExtension, manageExtension)
    .add(ideTools.listCommands, listCommands)
    .add(ideTools.runCommand, runCommand)
    .add(ideTools.listKeybindings, (input, context) => listKeybindings(input, context, profile));
}
