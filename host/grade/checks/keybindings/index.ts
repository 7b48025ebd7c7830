export { ideKeybindings, type Rule } from './defaults.ts';
export { Keybindings, keyDoesNotRun, keyRuns } from './keybindings.ts';
export { holds, parseWhen, type Context } from './when.ts';
