import { PwpError } from '../../../../bridge/lib/index.ts';
import {
  coreTools,
  findNearestName,
  toolFamilies,
  type ToolFamily,
  tools,
} from '../../../../bridge/protocol/index.ts';
import { clip } from '../../../../bridge/text/index.ts';
import { setNames } from '../../../ide/index.ts';
import { coreComputerTools, servedComputerTools } from './computer-tools.ts';
import {
  type CallContext,
  corePeopleTools,
  peopleTools,
  type RegistryContext,
  type ServedTool,
  serveRegistryTools,
  serveToolSet,
  serveWindowTools,
  serveWindowToolSet,
} from './tool-definitions.ts';

/** The choice of a server's tools, and the form of their results. Default: the core, and the others on request. */
export interface ServedToolOptions {
  /** Serves only the tools of this set, e.g. `ide-bench`. Excludes the other choices. */
  readonly set?: string | undefined;
  /** Serves these families of the registry; `computer`, `people` and `core` count as families. */
  readonly families?: readonly string[] | undefined;
  /** Serves these tools, besides those of `families`. */
  readonly tools?: readonly string[] | undefined;
  /** Serves all tools of the registry, `computer_*`, and those about people. Default false. */
  readonly all?: boolean | undefined;
  /** Only tools that change nothing. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Results as objects, too, with their schemas; see {@link serveRegistryTools}. Default false. */
  readonly structured?: boolean | undefined;
}

/** The tools of a server. */
export interface ServedTools<C = CallContext> {
  /** The tools that each client is shown at first. */
  readonly listed: readonly ServedTool<C>[];
  /** The tools that a client may add. */
  readonly more: readonly ServedTool<C>[];
}

/** The tools to choose from. */
interface Stock<C> {
  readonly every: (structured: boolean) => readonly ServedTool<C>[];
  readonly ofSet: (set: string) => readonly ServedTool<C>[];
}

/** The properties by which a tool is chosen. */
type Defined = Pick<ServedTool, 'definition'>;

const servedFamilies: readonly string[] = ['core', ...toolFamilies, 'computer', 'people'];

const coreNames = new Set([...coreTools, ...coreComputerTools, ...corePeopleTools]);
const familyOfName = new Map<string, ToolFamily>(tools.map(({ name, family }) => [name, family]));

const peopleNames = new Set(peopleTools.map(({ definition }) => definition.name));

export type ServedFamily = ToolFamily | 'computer' | 'people';

/** The family of a served tool. */
export function readServedFamily({ definition }: Defined): ServedFamily {
  return findFamily(definition.name);
}

function findFamily(name: string): ServedFamily {
  return familyOfName.get(name) ?? (peopleNames.has(name) ? 'people' : 'computer');
}

/** The tools that a server has. Errors: `usage` for an unknown name, and for choices that don't go together. */
export function chooseServedTools(options: ServedToolOptions): ServedTools {
  const every = (structured: boolean): ServedTool[] => [
    ...serveRegistryTools(structured),
    ...servedComputerTools,
    ...peopleTools,
  ];
  return chooseFromStock<CallContext>(options, { every, ofSet: serveToolSet });
}

/**
 * The tools of a server for a person's own window, without those that need a sandbox or its screen.
 * @param has whether the window has a tool of the registry
 */
export function chooseWindowTools(
  options: ServedToolOptions,
  has: (name: string) => boolean,
): ServedTools<RegistryContext> {
  const every = (structured: boolean) =>
    serveWindowTools(structured).filter(({ definition: { name } }) => has(name));
  return chooseFromStock<RegistryContext>(options, { every, ofSet: serveWindowToolSet });
}

function chooseFromStock<C>(options: ServedToolOptions, stock: Stock<C>): ServedTools<C> {
  const { set, families, tools: names, all = false, readOnly = false, structured = false } = options;
  if (set !== undefined && (families ?? names ?? (all || structured || undefined)) !== undefined)
    throw new PwpError('usage', '--set takes none of --tools, --families, --all and --structured');
  if (all && (families ?? names) !== undefined)
    throw new PwpError('usage', '--all takes neither --tools nor --families');
  const allowed = ({ definition }: Defined) => !readOnly || definition.annotations?.readOnlyHint === true;
  if (set !== undefined && !setNames.includes(set)) throw unknownNameError('set of tools', set, setNames);
  if (set !== undefined) return { listed: stock.ofSet(set).filter(allowed), more: [] };
  const there = stock.every(structured);
  const every = there.filter(allowed);
  if (all) return { listed: every, more: [] };
  if (families === undefined && names === undefined)
    return {
      listed: every.filter(isNamedIn(coreNames)),
      more: every.filter((tool) => !isNamedIn(coreNames)(tool)),
    };
  requireThere(there, families ?? [], names ?? []);
  const listed = every.filter(isNamedIn(resolveChosenNames(families ?? [], names ?? [])));
  if (listed.length === 0) throw new PwpError('usage', 'these choices leave no tool');
  return { listed, more: [] };
}

function isNamedIn(names: ReadonlySet<string>): (tool: Defined) => boolean {
  return ({ definition }) => names.has(definition.name);
}

/** Every tool that a server can have. */
const everyName: readonly string[] = [
  ...tools.map(({ name }) => name),
  ...[...servedComputerTools, ...peopleTools].map(readToolName),
];

/** Errors: `usage` for a known name whose tools are not available here. */
function requireThere(there: readonly Defined[], families: readonly string[], names: readonly string[]) {
  const found = new Set(there.flatMap((tool) => [readToolName(tool), readServedFamily(tool)]));
  const missing =
    families.find((family) => family !== 'core' && servedFamilies.includes(family) && !found.has(family)) ??
    names.find((name) => everyName.includes(name) && !found.has(name));
  if (missing === undefined) return;
  throw new PwpError('usage', `${missing} needs a sandbox, and --socket is a window without one`, {
    help: 'Leave it out, or serve a sandbox: pwp mcp <folder>',
  });
}

function readToolName({ definition }: Defined): string {
  return definition.name;
}

function resolveChosenNames(families: readonly string[], names: readonly string[]): ReadonlySet<string> {
  for (const family of families)
    if (!servedFamilies.includes(family)) throw unknownNameError('family of tools', family, servedFamilies);
  for (const name of names) if (!everyName.includes(name)) throw unknownNameError('tool', name, everyName);
  const inFamily = (name: string) => families.includes(findFamily(name));
  const inCore = (name: string) => families.includes('core') && coreNames.has(name);
  return new Set(everyName.filter((name) => inFamily(name) || inCore(name) || names.includes(name)));
}

function unknownNameError(what: string, given: string, known: readonly string[]): PwpError {
  const message = `there is no ${what} ${JSON.stringify(clip(given, 200))}: ${suggestName(given, known)}`;
  return new PwpError('usage', message, {
    help: 'On a command line the folder comes before the names, or -- between them.',
  });
}

/** The known name that was probably meant; all of them if no name is close and they are few. */
export function suggestName(given: string, known: readonly string[]): string {
  const name = given.toLowerCase();
  const overlaps = (one: string) => name.length > 2 && (one.includes(name) || name.includes(one));
  const near = findNearestName(given, known) ?? known.find(overlaps);
  if (near !== undefined) return `did you mean ${near}?`;
  return known.length <= 20 ? `expected ${known.join(', ')}` : "'pwp tools' lists them";
}
