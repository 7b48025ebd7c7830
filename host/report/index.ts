export { REPORT_FILE, writeReport } from './write.ts';
export { writeIndex } from './run.ts';
export { renderReport } from './report.ts';
export {
  isFailing,
  loadReport,
  momentOf,
  startOf,
  type GrowingMoment,
  type Moment,
  type ReportData,
} from './data.ts';
export { effectWord, worst } from './effects.ts';
export { count, duration, number, score } from './format.ts';
export { thumbOf } from './images.ts';
export { readPatch, workChanges, type ShownPatch } from './changes.ts';
export { incidents } from './incidents.ts';
export { markup, trusted, type Fragment, type Html } from './markup.ts';
export { page } from './page.ts';
export { drawn, screen, type ScreenParts } from './screen.ts';
export { stepSection, type AddressOf } from './step.ts';
export { baseStyle, indexStyle, reportStyle } from './style/index.ts';
export { figures, instruction, resultBanner, testOutput, type Shown } from './summary.ts';
export { lastWords } from './turn.ts';
export { verdictOf, type Verdict } from './verdict.ts';
