import {
  AgentFiles,
  Settings,
  colorTheme,
  extensionInstalled,
  readCatalogue,
  readIdeFacts,
  report,
} from '/opt/pwp/grade/checks.mjs';

const files = new AgentFiles();
const settings = await Settings.read(files);
const themes = ['Dracula Theme', 'Dracula Theme Soft'].map((theme) => colorTheme(settings, theme));
await report([
  await extensionInstalled(files, await readCatalogue(), await readIdeFacts(), 'dracula-theme.theme-dracula'),
  themes.find(({ passed }) => passed) ?? themes[0],
]);
