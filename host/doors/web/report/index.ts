export { reportPage } from './report-page.ts';
export { type IndexRow, runIndexPage } from './run-index-page.ts';
export { paperSection, studyPage } from './study-page.ts';
