export { decodeText, encodeText } from './encoding.ts';
export { loadText, maxFileBytes, openDocument, readBytes, type LoadedText } from './load.ts';
export { awaitReload, awaitReloads, compareWithDisk, type OnDisk } from './on-disk.ts';
export { versionOf } from './version.ts';
