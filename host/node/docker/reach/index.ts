export { possibleReaches } from './choose.ts';
export { OtherKernel, type Planned, type Reach } from './reach.ts';
export { socketReach } from './socket.ts';
export { tokenPath, websocketReach } from './websocket.ts';
