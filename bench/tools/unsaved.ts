import { fileTools, ide, ideTools, viewTools } from '../../bridge/protocol/index.ts';
import type { Desk } from './desk.ts';

/** Leaves unsaved text at the beginning of a file in its editor, as a person's typing would. */
export async function typeUnsaved(desk: Desk, path: string, text: string): Promise<void> {
  await desk.call(viewTools.openFile, { path, line: 1, column: 1 });
  await desk.call(ideTools.runCommand, { command: 'type', arguments: [{ text }] });
  await desk.until(`unsaved text in ${path}`, async () => {
    const { text: now, unsaved } = await desk.call(fileTools.readFile, { path, line_numbers: false });
    return unsaved && now.startsWith(text);
  });
}

/** Reverts the text of the active editor to the disk, and closes it. */
export async function dropUnsaved(desk: Desk): Promise<void> {
  await desk.call(ideTools.runCommand, { command: 'workbench.action.files.revert' });
  await desk.call(ideTools.runCommand, { command: 'workbench.action.closeActiveEditor' });
  await desk.until('no unsaved text', async () => {
    const { groups } = await desk.ask(ide.tabs, {});
    return groups.every(({ tabs }) => tabs.every(({ dirty }) => !dirty));
  });
}
