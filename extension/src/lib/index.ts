// Code that state and tools share, and code that runs without VS Code.
export { clip } from '../../../bridge/lib/index.ts';
export { clipAround, clipText } from './clip.ts';
export { otherSides } from './common-js.ts';
export { endOfLineOf, joinLines, splitLines, type Line } from './lines.ts';
export { misfit } from './misfit.ts';
export { formsOf, lookOf } from './names.ts';
export { pythonCode } from './python-code.ts';
export { plainPosition, plainRange } from './range.ts';
export { applyReplacements, countLines, differenceOf, type Replacement } from './replacement.ts';
export { sourceOf, type Inspected, type Source } from './source.ts';
export { Transcript, clipMiddle } from './transcript.ts';
