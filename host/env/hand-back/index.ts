export { noteTurn, personChanges, type PersonChanges } from './hand-back.ts';
