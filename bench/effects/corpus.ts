import type { EffectCase } from './cases/case.ts';
import { editorCases } from './cases/editor.ts';
import { mixedCases } from './cases/mixed.ts';
import { pointerCases } from './cases/pointer.ts';
import { settingsCases } from './cases/settings.ts';
import { workbenchCases } from './cases/workbench.ts';

export { type CaseAct, type EffectCase } from './cases/case.ts';

/** Actions with a known truth, one after the other in one IDE: some do what was intended, and some can't. */
export const effectCases: readonly EffectCase[] = [
  ...mixedCases,
  ...settingsCases,
  ...editorCases,
  ...workbenchCases,
  ...pointerCases,
];

/** Files of the workspace that only these actions use. */
export const ownFiles = `
  seq -f "line %g" 20 | tee lines.txt > edits.txt
  git init -q && git config user.name Bench && git config user.email bench@example.org
  git add -A && git commit -qm begin
`;
