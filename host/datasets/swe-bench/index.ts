export { sweBench } from './open.ts';
export { gradeLogs, type LogReport } from './recorded.ts';
