export type { DocumentCommand, FromPage, ShowText } from './message.ts';
