export type { PageScripts } from './browser-page.ts';
export { Browser } from './browser.ts';
export { CdpConnection, type CdpEvent, openWebSocket, PipeTransport } from './cdp-connection.ts';
export { DomReader, readFirstPageState } from './reader.ts';
