import { AgentFiles, Settings, report, settingIsOneOf } from '/opt/pwp/grade/checks.mjs';

const settings = await Settings.read(new AgentFiles());
await report([settingIsOneOf(settings, 'window.restoreWindows', ['one', 'folders', 'all', 'preserve'])]);
