export { csvLines, csvOf } from './csv.ts';
export { htmlOf, type PageSection } from './html.ts';
export { plain } from './plain.ts';
export { escaped as escapedLatex, latexOf } from './latex.ts';
export { escaped as escapedMarkdown, markdownOf } from './markdown.ts';
export { cellText, headText } from './cell-text.ts';
