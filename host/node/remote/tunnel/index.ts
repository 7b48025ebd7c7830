export { Channels } from './channels.ts';
export { Tunnels } from './tunnels.ts';
