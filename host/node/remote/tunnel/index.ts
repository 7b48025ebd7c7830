export { Channels } from './channels.ts';
export { exitThrough } from './exit.ts';
export { Tunnels } from './tunnels.ts';
