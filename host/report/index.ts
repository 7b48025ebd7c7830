export { REPORT_FILE, writeReport } from './write.ts';
export { writeIndex } from './run.ts';
export { renderReport } from './report.ts';
export { loadReport, type Moment, type ReportData } from './data.ts';
export { count, duration, number } from './format.ts';
export { markup, type Fragment, type Html } from './markup.ts';
export { page } from './page.ts';
export { baseStyle, indexStyle } from './style/index.ts';
