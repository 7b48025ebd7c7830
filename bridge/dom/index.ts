export { Browser } from './browser.ts';
export { CdpConnection, type CdpEvent } from './connection.ts';
export { DomReader, pageState } from './reader.ts';
export type { PageScripts } from './page.ts';
export type { PageState } from './page/index.ts';
export { PipeTransport, openWebSocket, type CdpTransport } from './transport.ts';
