export { decodeText, encodeText } from './encoding.ts';
export { loadText, maxFileBytes, openDocument, readBytes, type LoadedText } from './load.ts';
export { versionOf } from './version.ts';
