export { connectToWindow } from './connection.ts';
export type { WindowLink } from './link.ts';
