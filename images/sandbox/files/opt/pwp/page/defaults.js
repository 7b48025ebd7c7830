// The defaults that this image embeds VS Code with: under them an IDE is fair to pixels, and a still screen stays
// still. They are an embedder's `configurationDefaults`, so they are there from the first paint, for settings of every
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
  // VS Code opens this file of its own at every start: as JSON that would start a language server and four extensions.
  'files.associations': { '**/User/chatLanguageModels.json': 'plaintext' },
  'files.autoSave': 'off',
  // TypeScript looks for types all the way up from its own folder, which never changes: 1500 watches for nothing.
  'files.watcherExclude': {
    '**/.git/objects/**': true,
    '**/.git/subtree-cache/**': true,
    '**/.hg/store/**': true,
    '/opt/code-server': true,
  },
  'git.autofetch': false,
  'git.openRepositoryInParentFolders': 'never',
  'remote.autoForwardPorts': false,
  'security.workspace.trust.enabled': false,
  // No second server beside the one that knows everything, and none that looks for types in a network that isn't there.
  // By the old names, too: only a user's own value of the new ones is heeded.
  'js/ts.tsserver.automaticTypeAcquisition.enabled': false,
  'js/ts.tsserver.useSyntaxServer': 'never',
  'typescript.disableAutomaticTypeAcquisition': true,
  'typescript.tsserver.useSyntaxServer': 'never',
  'telemetry.telemetryLevel': 'off',
  'terminal.integrated.cursorBlinking': false,
  // What saves the IDE memory is not for the programs that are run in it.
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
// code-server's own service worker does nothing but make the page one that can be installed. Webviews have another, and
// take this one for it: the first of an IDE was drawn seconds late, without its files or never.
delete embedding.productConfiguration?.serviceWorker;
page.setAttribute('data-settings', JSON.stringify(embedding));

// The service worker of webviews, by the very address that they know it by, so that it is there before the first of them:
// one that is opened while it is being installed may wait for it for ever.
const { host } = location;
const known = `v=6&vscode-resource-base-authority=vscode-resource.vscode-cdn.net&remoteAuthority=${host}&platform=browser`;
navigator.serviceWorker
  .register(`${embedding.webviewEndpoint}/service-worker.js?${known}`)
  .catch(console.error);

// A scrollbar that is needed stays: VS Code fades it out half a second after the last scroll or the pointer's leave, long
// after the screen was still. One that is not needed, or was never shown, is not of this class.
const style = document.createElement('style');
style.textContent = `.monaco-scrollable-element > .scrollbar.invisible.fade {
  opacity: 1;
  pointer-events: auto;
  transition: none;
  z-index: 11;
}`;
document.head.append(style);
