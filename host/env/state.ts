import { ide, type Method, type ParamsIn, type ResultOf } from '../../bridge/protocol/index.ts';

export type Ask = <M extends Method>(method: M, params: ParamsIn<M>) => Promise<ResultOf<M>>;

/** Every part of what an IDE knows of itself, one method each; the bridge or the extension itself answers. */
export async function readState(ask: Ask): Promise<Readonly<Record<string, unknown>>> {
  return {
    info: await ask(ide.info, {}),
    workspace: await ask(ide.workspace, {}),
    ...(await ask(ide.tabs, {})),
    ...(await ask(ide.editor, {})),
    ...(await ask(ide.diagnostics, {})),
    ...(await ask(ide.settings, { keys: [...commonSettings] })),
    ...(await ask(ide.extensions, {})),
  };
}

/** The settings that a first look shows; a program asks `ide.settings` for any others. */
const commonSettings = [
  'files.autoSave',
  'files.autoSaveDelay',
  'editor.formatOnSave',
  'workbench.colorTheme',
] as const;
