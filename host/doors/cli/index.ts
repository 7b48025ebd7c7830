export { addCommands } from './commands/index.ts';
export { describeValues, hasSetting, settingDefault } from './setting-options.ts';
