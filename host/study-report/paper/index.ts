export { paperSection } from './html.ts';
export { paperLatex } from './latex.ts';
export { paperMarkdown } from './markdown.ts';
export { paperTables } from './tables.ts';
export type { PaperTable } from './layout.ts';
