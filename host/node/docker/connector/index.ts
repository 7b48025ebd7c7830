export { possibleConnectors } from './choose.ts';
export { OtherKernel, type Planned, type Connector } from './connector.ts';
export { socketConnector } from './socket.ts';
export { tokenPath, websocketConnector } from './websocket.ts';
