export { readLevelDb } from './leveldb.ts';
export { storedTexts, type StoredText } from './stores.ts';
