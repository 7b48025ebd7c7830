import type { ToolCase } from './case.ts';
import { codeCases } from './families/code.ts';
import { dataCases } from './families/data.ts';
import { debugCases } from './families/debug.ts';
import { editCases } from './families/edits.ts';
import { fileCases } from './families/files.ts';
import { historyCases } from './families/history.ts';
import { ideCases } from './families/ide.ts';
import { profileCases } from './families/profile.ts';
import { programCases } from './families/programs.ts';
import { refactorCases } from './families/refactor.ts';
import { runCases } from './families/run.ts';
import { searchCases } from './families/search.ts';
import { viewCases } from './families/view.ts';

/** The calls for every tool, in this order in one IDE. */
export const toolCases: readonly ToolCase[] = [
  ...fileCases,
  ...editCases,
  ...searchCases,
  ...codeCases,
  ...refactorCases,
  ...historyCases,
  ...runCases,
  ...programCases,
  ...debugCases,
  ...dataCases,
  ...profileCases,
  ...viewCases,
  ...ideCases,
];
