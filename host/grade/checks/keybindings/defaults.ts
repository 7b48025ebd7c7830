/** A rule of keybindings.json, or of VS Code's own. */
export interface Rule {
  readonly key: string;
  readonly command: string;
  readonly when?: string;
}

/** The IDE's own rules for the commands that tasks are about; a later one is asked first. */
export const ideKeybindings: readonly Rule[] = [
  { key: 'ctrl+alt+f', command: 'list.find', when: 'listFocus && listSupportsFind' },
  { key: 'f3', command: 'list.find', when: 'listFocus && listSupportsFind' },
  { key: 'ctrl+f', command: 'actions.find', when: 'editorFocus || editorIsOpen' },
];
