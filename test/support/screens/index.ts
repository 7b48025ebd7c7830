import { editing } from './editing.ts';
import { overlays } from './overlays.ts';
import type { Screen } from './screen.ts';
import { special } from './special.ts';
import { views } from './views.ts';

export { frame, prepare, type Screen } from './screen.ts';
export { workspace } from './workspace.ts';

/** By name, in an order in which each can be shown after the previous one. */
export const screens: Readonly<Record<string, Screen>> = { ...editing, ...views, ...overlays, ...special };
