export { type DiffLine, readPatch, type ShownEdit, type ShownPatch } from './recorded-changes.ts';
export {
  encodeThumbnail,
  type GrowingMoment,
  isFailingMoment,
  loadReport,
  makeMoment,
  makeStartMoment,
  type ReportData,
  type ReportMoment,
  type ReportPicture,
} from './report-data.ts';
export { type ShownCall, type ShownMoment, type ShownStep, showMoment } from './shown-moment.ts';
