import type { Truth } from '../truth.ts';

/** A line, or the mark that is clicked. */
export type CaseAct =
  | string
  | {
      readonly verb?: 'double_click' | 'triple_click' | 'middle_click' | 'right_click';
      readonly click: { readonly role: string; readonly name: RegExp };
    };

/** One action, and how to find out from VS Code's own state whether it did what was intended. */
export interface EffectCase {
  readonly name: string;
  /** Brings the IDE into the state before it. */
  readonly first?: readonly CaseAct[];
  readonly act: CaseAct;
  /** Lines after it that make its result reach VS Code's files: text goes where the focus is. */
  readonly proof?: readonly string[];
  /** VS Code writes its state with a delay: the truth is read after that. */
  readonly late?: boolean;
  happened(after: Truth, before: Truth): boolean;
}

export const save = ['xdotool key ctrl+s'];
/** Text with any quotes. */
export const type = (text: string) => JSON.stringify({ action: 'type', text });
export const key = (name: string) => `xdotool key ${name}`;
export const open = (file: string) => ['xdotool key ctrl+p', type(file), 'xdotool key Return'];
export const goTo = (line: number) => ['xdotool key ctrl+g', type(String(line)), 'xdotool key Return'];

/** The active tab is this one. */
export const tab = (name: string) => (after: Truth) => after.tabs.includes(`${name}*`);
/** More of this text is in the workspace's files than before. */
export const grew = (text: string) => (after: Truth, before: Truth) =>
  countOf(after, text) > countOf(before, text);
export const changed = (after: Truth, before: Truth) => JSON.stringify(after) !== JSON.stringify(before);
export const same = (after: Truth, before: Truth) => !changed(after, before);

function countOf({ files }: Truth, text: string): number {
  return Object.values(files).reduce((sum, file) => sum + file.split(text).length - 1, 0);
}
