export { Chromium } from './chromium.ts';
export { codeServer } from './code-server.ts';
export { extension } from './extension.ts';
export { addDesktop } from './handlers.ts';
export type { Part, RunningPart } from './part.ts';
export { Status } from './status.ts';
export { Supervisor } from './supervisor.ts';
export { xvfb } from './xvfb.ts';
export { pictureOf, type Picture } from './screen.ts';
