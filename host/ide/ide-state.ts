import {
  dom,
  ErrorCode,
  ide,
  type Method,
  type ParamsIn,
  type ResultOf,
  RpcError,
  type StatePart,
} from '../../bridge/protocol/index.ts';

type AskIde = <M extends Method>(method: M, params: ParamsIn<M>) => Promise<ResultOf<M>>;
export type IdeState = Readonly<Record<string, unknown>>;

/** How each part is read, in the order of the report. Parts that need a language server are not among them. */
const stateParts: readonly (readonly [StatePart, (ask: AskIde) => Promise<IdeState>])[] = [
  ['workspace', async (ask) => ({ info: await ask(ide.info, {}), workspace: await ask(ide.workspace, {}) })],
  ['tabs', (ask) => ask(ide.tabs, {})],
  ['editor', (ask) => ask(ide.editor, {})],
  ['diagnostics', (ask) => ask(ide.diagnostics, {})],
  ['settings', readSettingsState],
  ['sourceControl', async (ask) => ({ sourceControl: await readIfKnown(ask(ide.sourceControl, {})) })],
  ['terminals', async (ask) => ({ terminals: (await readIfKnown(ask(ide.terminals, {})))?.terminals })],
  ['work', async (ask) => ({ ...(await readIfKnown(ask(ide.work, {}))) })],
  ['debug', async (ask) => ({ debug: (await readIfKnown(ask(ide.debug, {})))?.sessions })],
  [
    'breakpoints',
    async (ask) => ({ breakpoints: (await readIfKnown(ask(ide.breakpoints, {})))?.breakpoints }),
  ],
  ['tests', async (ask) => ({ tests: await readIfKnown(ask(ide.tests, {})) })],
  ['extensions', (ask) => ask(ide.extensions, {})],
];

/**
 * The state of an IDE, part by part; the bridge or the extension itself answers.
 * @param changed only these are read, the others stay as they were. Default: all
 */
export async function readIdeState(
  ask: AskIde,
  changed?: readonly StatePart[],
  before: IdeState = {},
): Promise<IdeState> {
  let state = before;
  for (const [part, read] of stateParts)
    if (changed?.includes(part) ?? true) state = { ...state, ...(await read(ask)) };
  return state;
}

async function readSettingsState(ask: AskIde): Promise<IdeState> {
  const { settings } = await ask(ide.settings, { keys: [...commonSettings] });
  return { settings, changedSettings: (await readIfKnown(ask(ide.changedSettings, {})))?.settings };
}

/** Undefined if it is unknown: an extension of another version may not have the method. */
async function readIfKnown<T>(answer: Promise<T>): Promise<T | undefined> {
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

const methodGroups = { dom, ide };
type MethodGroups = typeof methodGroups;

/** The questions to an IDE, by name: `ide.settings`, `ide.diagnostics`, `dom.tree`, … */
export type IdeQuestion = {
  [G in keyof MethodGroups]: `${G}.${keyof MethodGroups[G] & string}`;
}[keyof MethodGroups];

type IdeMethodOf<Q extends IdeQuestion> = {
  [G in keyof MethodGroups]: Q extends `${G}.${infer N extends keyof MethodGroups[G] & string}`
    ? MethodGroups[G][N]
    : never;
}[keyof MethodGroups];

/** The parameters of a question; `{}` if it needs none. */
export type IdeQuestionParams<Q extends IdeQuestion> = ParamsIn<IdeMethodOf<Q> & Method>;
/** The answer to a question. */
export type IdeAnswer<Q extends IdeQuestion> = ResultOf<IdeMethodOf<Q> & Method>;

const methodsByName = new Map<string, Method>();
for (const [group, members] of Object.entries<Readonly<Record<string, Method>>>(methodGroups))
  for (const [name, method] of Object.entries(members)) methodsByName.set(`${group}.${name}`, method);

/** The descriptor of a question; undefined for an unknown name. */
export function findIdeMethod(question: string): Method | undefined {
  return methodsByName.get(question);
}
