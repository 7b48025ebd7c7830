import { open, stat } from 'node:fs/promises';
import { dirname, extname } from 'node:path';
import * as vscode from 'vscode';
import { type debugTools, toolError, type ToolInput } from '../../../../bridge/protocol/index.ts';
import { formatPath, resolvePlace } from '../workspace-place.ts';

type StartInput = ToolInput<typeof debugTools.debugStart>;

/** The debugger of a program by its file extension. */
const typesByFileExtension: Readonly<Record<string, string>> = {
  '.js': 'node',
  '.mjs': 'node',
  '.cjs': 'node',
  '.ts': 'node',
  '.mts': 'node',
  '.cts': 'node',
  '.py': 'debugpy',
  '.go': 'go',
};

/**
 * The configuration to debug. Errors: `bad-arguments`, `not-found` for a configuration or program that does not exist,
 * and `no-debug-adapter`, which VS Code would report in a dialog that stays until a person closes it.
 */
export async function chooseConfiguration(
  input: StartInput,
): Promise<vscode.DebugConfiguration | CompoundConfiguration> {
  const ways = [input.program, input.name, input.configuration].filter((one) => one !== undefined);
  if (ways.length !== 1)
    throw toolError('bad-arguments', 'give one of program, name and configuration', {
      help: 'A program is the simplest',
    });
  const compound = input.name === undefined ? undefined : findCompound(input.name);
  if (compound) return checkCompound(compound, input);
  const configuration = await pickConfiguration(input);
  refuseUnknownType(configuration.type);
  await refuseMissingProgram(configuration);
  const stops = input.stop_on_entry || input.exceptions !== undefined;
  return stops ? { ...configuration, stopOnEntry: true } : configuration;
}

/** Several configurations of launch.json that are started together. */
export interface CompoundConfiguration {
  readonly name: string;
  readonly configurations: readonly string[];
}

export function isCompound(
  started: vscode.DebugConfiguration | CompoundConfiguration,
): started is CompoundConfiguration {
  return 'configurations' in started;
}

function findCompound(name: string): CompoundConfiguration | undefined {
  const found = readLaunchSetting<{ name: string; configurations?: readonly (string | { name: string })[] }>(
    'compounds',
  );
  const compound = found.find((one) => one.name === name);
  if (!compound || readLaunchSetting('configurations').some((one) => one.name === name)) return undefined;
  const parts = (compound.configurations ?? []).map((one) => (typeof one === 'string' ? one : one.name));
  return { name, configurations: parts };
}

/** VS Code would report a wrong one in a dialog. Errors: those of its configurations. */
async function checkCompound(
  compound: CompoundConfiguration,
  input: StartInput,
): Promise<CompoundConfiguration> {
  if (input.stop_on_entry || input.exceptions !== undefined)
    throw toolError(
      'bad-arguments',
      `${compound.name} is a compound: it takes no stop_on_entry or exceptions`,
      {
        help: 'Start its configurations one by one',
      },
    );
  for (const name of compound.configurations) {
    const configuration = findLaunchConfiguration(name);
    refuseUnknownType(configuration.type);
    await refuseMissingProgram(configuration);
  }
  return compound;
}

function readLaunchSetting<T extends { readonly name: string }>(
  part: 'configurations' | 'compounds',
): readonly T[] {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  return vscode.workspace.getConfiguration('launch', folder).get<readonly T[]>(part) ?? [];
}

async function pickConfiguration(input: StartInput): Promise<vscode.DebugConfiguration> {
  const { program, name, configuration } = input;
  if (program !== undefined) return makeProgramConfiguration(program, input);
  if (name !== undefined) return findLaunchConfiguration(name);
  const { type, request, name: own } = configuration ?? {};
  if (typeof type !== 'string' || (request !== 'launch' && request !== 'attach'))
    throw toolError('bad-arguments', 'a configuration has a type and a request: launch or attach');
  return { ...configuration, type, request, name: typeof own === 'string' ? own : `Agent: ${type}` };
}

async function makeProgramConfiguration(
  given: string,
  { args, in_terminal: inTerminal }: StartInput,
): Promise<vscode.DebugConfiguration> {
  const { path } = await resolvePlace(given);
  const type = typesByFileExtension[extname(path)] ?? (await guessTypeByContent(path));
  if (type === undefined)
    throw toolError('bad-arguments', `it is not known how to debug ${formatPath(path)}`, {
      help: 'Give a configuration with the type of a debugger',
    });
  return {
    type,
    request: 'launch',
    name: `Agent: ${formatPath(path)}`,
    program: path,
    args,
    cwd: vscode.workspace.workspaceFolders?.[0]?.uri.fsPath,
    console: inTerminal ? 'integratedTerminal' : 'internalConsole',
    ...(type === 'go' && { program: dirname(path) }),
    ...(type === 'node' && { skipFiles: ['<node_internals>/**'], outputCapture: 'std' }),
  };
}

/** Machine code, as compilers of C, C++ and Rust make it. */
async function guessTypeByContent(path: string): Promise<string | undefined> {
  const file = await open(path).catch(() => undefined);
  if (!file) return undefined;
  try {
    const { buffer } = await file.read(Buffer.alloc(4), 0, 4, 0);
    return buffer.toString('latin1') === '\x7fELF' ? 'lldb-dap' : undefined;
  } catch {
    return undefined;
  } finally {
    await file.close();
  }
}

/** Without the fields that debuggers fill in themselves. */
function findLaunchConfiguration(name: string): vscode.DebugConfiguration {
  const all = readLaunchSetting<vscode.DebugConfiguration>('configurations');
  const found = all.find((one) => one.name === name);
  if (found) return { ...found };
  const names = [...all, ...readLaunchSetting('compounds')].map((one) => one.name).join(', ');
  throw toolError('not-found', `launch.json has no configuration ${name}`, {
    help: names === '' ? 'It has none' : `There are ${names}`,
  });
}

function refuseUnknownType(type: string): void {
  const known = vscode.extensions.all.flatMap(({ packageJSON }) => {
    const { contributes } = packageJSON as { contributes?: { debuggers?: readonly { type?: string }[] } };
    return (contributes?.debuggers ?? []).map((one) => one.type ?? '');
  });
  if (known.includes(type)) return;
  throw toolError('no-debug-adapter', `no extension here debugs programs of type ${type}`, {
    help: formatTypeHelp(type) ?? `There are ${[...new Set(known)].join(', ')}`,
  });
}

function formatTypeHelp(type: string): string | undefined {
  if (type === 'debugpy' || type === 'python')
    return 'Python needs an extension for debugpy; meanwhile use run_python or pdb in a terminal';
  const layer = { 'lldb-dap': 'cpp', go: 'go' }[type];
  return layer && `An IDE that is started with it has one: pwp up --with ${layer}`;
}

/** Checks only paths without variables: VS Code resolves the others itself. */
async function refuseMissingProgram({ program }: vscode.DebugConfiguration): Promise<void> {
  if (typeof program !== 'string' || !program.startsWith('/')) return;
  if (await stat(program).catch(() => undefined)) return;
  throw toolError('not-found', `there is no program ${formatPath(program)}`);
}
