import { commandTools } from './ide-commands.ts';
import { errorTools } from './ide-errors.ts';
import { extensionTools } from './ide-extensions.ts';
import { settingTools } from './ide-settings.ts';

/** The IDE itself: its problems, settings, extensions, commands and keys. */
export const ideTools = { ...errorTools, ...settingTools, ...extensionTools, ...commandTools };
