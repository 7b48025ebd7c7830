export { csvLines, csvOf } from './csv.ts';
export { htmlOf } from './html.ts';
export { latexOf } from './latex.ts';
export { markdownOf } from './markdown.ts';
export { cellText, headText } from './cell-text.ts';
