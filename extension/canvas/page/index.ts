export type { DocumentCommand, FromPage, ShowText } from './drawio-file.ts';
