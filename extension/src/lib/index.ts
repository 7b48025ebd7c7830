export { clipAround, clipMiddle, clipText, Transcript } from './clipped-text.ts';
export { otherSides, pythonCode } from './code-text.ts';
export { isOnDisk, isReachable, isRunnable } from './disk-facts.ts';
export { validateValue } from './json-schema.ts';
export { findSettingSource, type InspectedSetting } from './setting-source.ts';
export {
  applyReplacements,
  countLines,
  detectLineEnd,
  findDifference,
  joinLines,
  listUnicodeForms,
  normalizeLook,
  plainPosition,
  plainRange,
  type Replacement,
  splitLines,
  type TextLine,
} from './text-edits.ts';
