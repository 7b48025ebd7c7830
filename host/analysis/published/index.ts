export { publishedCategories, publishedFamilies, publishedRows, type PublishedRow } from './compare.ts';
export { publishedPaper, type PublishedResult } from './paper.ts';
