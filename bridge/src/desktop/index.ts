export { Chromium } from './chromium.ts';
export { agentSidePart, codeServerPart } from './code-server.ts';
export { displayPart, serveXdotool } from './display.ts';
export { extensionPart, type IdeWindow, serveReopen } from './ide-window.ts';
export { formatPartState, type PartStates, readLogTail } from './part.ts';
export { SoundServer } from './sound.ts';
export { type ReadPartLog, serveDesktopState, Supervisor } from './supervisor.ts';
