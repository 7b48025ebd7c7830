export type { FromPage, ShowText } from './message.ts';
