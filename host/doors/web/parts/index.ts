export { html, type Html, svg } from './html.ts';
export { findLabelPlaces, fullSizeDialog, markBoxes, placeTags, type ScreenParts } from './marked-screen.ts';
export {
  computeMedian,
  type EpisodeOverview,
  listFigures,
  listIncidents,
  type ShownResult,
} from './overview-data.ts';
export { episodeHead, episodeRest } from './overview.ts';
export { type PageDocument, renderDocument } from './page-document.ts';
export {
  describeResult,
  effectBadge,
  effectDot,
  findWorstEffect,
  formatScore,
  nameEffect,
  type ResultVerdict,
  type Tone,
} from './result-words.ts';
export { renderToText } from './static-text.ts';
export { type StepPage, stepSection } from './step-section.ts';
