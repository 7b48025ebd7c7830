import {
  ErrorCode,
  RpcError,
  ide,
  type Method,
  type ParamsIn,
  type ResultOf,
  type StatePart,
} from '../../bridge/protocol/index.ts';

export type Ask = <M extends Method>(method: M, params: ParamsIn<M>) => Promise<ResultOf<M>>;
export type IdeState = Readonly<Record<string, unknown>>;

/** How each part is read, in the order of the report. Parts that need a language server are not among them. */
const parts: readonly (readonly [StatePart, (ask: Ask) => Promise<IdeState>])[] = [
  ['workspace', async (ask) => ({ info: await ask(ide.info, {}), workspace: await ask(ide.workspace, {}) })],
  ['tabs', (ask) => ask(ide.tabs, {})],
  ['editor', (ask) => ask(ide.editor, {})],
  ['diagnostics', (ask) => ask(ide.diagnostics, {})],
  ['settings', readSettings],
  ['sourceControl', async (ask) => ({ sourceControl: await known(ask(ide.sourceControl, {})) })],
  ['terminals', async (ask) => ({ terminals: (await known(ask(ide.terminals, {})))?.terminals })],
  ['work', async (ask) => ({ ...(await known(ask(ide.work, {}))) })],
  ['debug', async (ask) => ({ debug: (await known(ask(ide.debug, {})))?.sessions })],
  ['breakpoints', async (ask) => ({ breakpoints: (await known(ask(ide.breakpoints, {})))?.breakpoints })],
  ['tests', async (ask) => ({ tests: await known(ask(ide.tests, {})) })],
  ['extensions', (ask) => ask(ide.extensions, {})],
];

/**
 * The state of an IDE, part by part; the bridge or the extension itself answers.
 * @param changed only these are read, the others stay as they were. Default: all
 */
export async function readState(
  ask: Ask,
  changed?: readonly StatePart[],
  before: IdeState = {},
): Promise<IdeState> {
  let state = before;
  for (const [part, read] of parts)
    if (changed?.includes(part) ?? true) state = { ...state, ...(await read(ask)) };
  return state;
}

async function readSettings(ask: Ask): Promise<IdeState> {
  const { settings } = await ask(ide.settings, { keys: [...commonSettings] });
  return { settings, changedSettings: (await known(ask(ide.changedSettings, {})))?.settings };
}

/** Undefined if it is unknown: an extension of another version may not have the method. */
async function known<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer;
  } catch (error) {
    if (error instanceof RpcError && error.code === ErrorCode.MethodNotFound) return undefined;
    throw error;
  }
}

/** The settings that a first look shows; a program asks `ide.settings` for any others. */
const commonSettings = [
  'files.autoSave',
  'files.autoSaveDelay',
  'editor.formatOnSave',
  'workbench.colorTheme',
] as const;
