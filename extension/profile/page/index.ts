export type { Bar, FunctionRow, ProfileShown, Ready, Shown } from './message.ts';
