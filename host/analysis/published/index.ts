export { publishedFamilies, publishedRows, type PublishedRow } from './compare.ts';
