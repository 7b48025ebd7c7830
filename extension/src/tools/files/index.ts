import { fileTools } from '../../../../bridge/protocol/index.ts';
import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { listDir } from './list.ts';
import { editNotebook } from './notebook.ts';
import { readFile } from './read.ts';
import { createDirectory, deleteFile, refuseRename, renameFile, renameNow } from './tree.ts';
import { createFile, editFile, searchReplace, writeFile } from './write.ts';

export { refuseRename, renameNow };

/** Adds the tools that read and change files. */
export function addFiles(handlers: ToolHandlers): ToolHandlers {
  return handlers
    .add(fileTools.readFile, readFile)
    .add(fileTools.listDir, listDir)
    .add(fileTools.editFile, editFile)
    .add(fileTools.searchReplace, searchReplace)
    .add(fileTools.writeFile, writeFile)
    .add(fileTools.createFile, createFile)
    .add(fileTools.createDirectory, createDirectory)
    .add(fileTools.deleteFile, deleteFile)
    .add(fileTools.renameFile, renameFile)
    .add(fileTools.editNotebook, editNotebook);
}
