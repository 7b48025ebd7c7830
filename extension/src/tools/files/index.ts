import { fileTools } from '../../../../bridge/protocol/index.ts';
import type { ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { listDir } from './list.ts';
import { readFile } from './read.ts';

/** Adds the tools that read and change files. */
export function addFiles(handlers: ToolHandlers): ToolHandlers {
  return handlers.add(fileTools.readFile, readFile).add(fileTools.listDir, listDir);
}
