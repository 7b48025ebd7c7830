export { type Html, markup, renderPage, readReportStyles, readStyles } from './html-page.ts';
export { renderMarkBoxes } from './marked-screen.ts';
export { readPatch, renderWorkChanges, type ShownPatch } from './report-changes.ts';
export {
  encodeThumbnail,
  type GrowingMoment,
  isFailingMoment,
  makeMoment,
  makeStartMoment,
  type ReportMoment,
} from './report-data.ts';
export { writeIndex } from './report-index.ts';
export {
  renderFigures,
  renderIncidents,
  renderInstruction,
  renderResultBanner,
  renderTestOutput,
  type ShownResult,
} from './report-summary.ts';
export {
  describeResult,
  findWorstEffect,
  formatCount,
  renderLastMessage,
  type ResultVerdict,
} from './report-words.ts';
export { renderStepSection } from './step-section.ts';
export { writeReport } from './write-report.ts';
