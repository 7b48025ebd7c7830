import { AgentFiles, Settings, report, settingIs } from '/opt/pwp/grade/checks.mjs';

const settings = await Settings.read(new AgentFiles());
await report([settingIs(settings, 'editor.snippetSuggestions', 'top')]);
