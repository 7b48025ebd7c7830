export { openUi } from './agent-view.ts';
export type { AskWindow } from './state-view.ts';
export { Steps } from './steps-view.ts';
