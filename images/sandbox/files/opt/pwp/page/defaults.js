// The defaults that this image embeds VS Code with: with them, the screen shows what the IDE does, and a still screen
// stays still. They are an embedder's `configurationDefaults`, so they apply from the first paint, to settings of every
// scope, and a user's settings.json stays empty and may be deleted. workbench.html loads this before the workbench.
const page = document.getElementById('vscode-workbench-web-configuration');
const embedding = JSON.parse(page.getAttribute('data-settings'));
embedding.configurationDefaults = {
  'chat.disableAIFeatures': true,
  'editor.cursorBlinking': 'solid',
  'editor.cursorSmoothCaretAnimation': 'off',
  'editor.smoothScrolling': false,
  'extensions.autoCheckUpdates': false,
  'extensions.autoUpdate': false,
  'extensions.ignoreRecommendations': true,
  // VS Code opens its own file of this name at every start: as JSON, it would start a language server and four extensions.
  'files.associations': { '**/User/chatLanguageModels.json': 'plaintext' },
  'files.autoSave': 'off',
  // TypeScript looks for types in all folders above its own, which never change: 1500 useless watches.
  'files.watcherExclude': {
    '**/.git/objects/**': true,
    '**/.git/subtree-cache/**': true,
    '**/.hg/store/**': true,
    '/.pwp': true,
  },
  'git.autofetch': false,
  'git.openRepositoryInParentFolders': 'never',
  // The image's own, and ours where it has none.
  'git.path': ['git', '/.pwp/usr/lib/pwp/bin/git'],
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
  // No second, partial TypeScript server, and none that downloads types over a network that does not exist. Set by the
  // old names, too: of the new ones, VS Code only respects a user's own value.
  'js/ts.tsserver.automaticTypeAcquisition.enabled': false,
  'js/ts.tsserver.useSyntaxServer': 'never',
  'typescript.disableAutomaticTypeAcquisition': true,
  'typescript.tsserver.useSyntaxServer': 'never',
  'telemetry.telemetryLevel': 'off',
  'terminal.integrated.cursorBlinking': false,
  // Variables that save memory in the IDE are not for programs that run in it.
  'terminal.integrated.env.linux': { NODE_OPTIONS: null, MALLOC_ARENA_MAX: null, PWP_SOCKET_DIR: null },
  'terminal.integrated.gpuAcceleration': 'off',
  'update.mode': 'none',
  'update.showReleaseNotes': false,
  'workbench.enableExperiments': false,
  // Tooltips come while a step waits for the screen to be still, not half a second later.
  'workbench.hover.delay': 100,
  'workbench.reduceMotion': 'on',
  'workbench.secondarySideBar.defaultVisibility': 'hidden',
  'workbench.settings.enableNaturalLanguageSearch': false,
  'workbench.startupEditor': 'none',
  'workbench.tips.enabled': false,
};
// code-server's own service worker only makes the page installable. Webviews have another one, and would mistake this one
// for it: an IDE's first webview was drawn seconds late, without its files, or never.
delete embedding.productConfiguration?.serviceWorker;
page.setAttribute('data-settings', JSON.stringify(embedding));

// The service worker of webviews, at the exact address that they use, so that it is installed before the first webview
// opens: one that opens during the installation may wait for ever.
const { host } = location;
const known = `v=6&vscode-resource-base-authority=vscode-resource.vscode-cdn.net&remoteAuthority=${host}&platform=browser`;
navigator.serviceWorker
  .register(`${embedding.webviewEndpoint}/service-worker.js?${known}`)
  .catch(console.error);

// A scrollbar that is needed stays: VS Code fades it out half a second after the last scroll or after the pointer has
// left, long after the screen was still. One that is not needed, or was never shown, does not have this class.
const style = document.createElement('style');
style.textContent = `.monaco-scrollable-element > .scrollbar.invisible.fade {
  opacity: 1;
  pointer-events: auto;
  transition: none;
  z-index: 11;
}`;
document.head.append(style);
