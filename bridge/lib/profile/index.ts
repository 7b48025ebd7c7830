export { type CallFrame, type FunctionTime, layOutFlames, type Profile, rankFunctions } from './call-tree.ts';
export { readProfile } from './read-profile.ts';
