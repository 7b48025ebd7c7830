import { PwpError } from '../../../bridge/lib/index.ts';
import { coreTools, nearest, toolFamilies, tools, type ToolFamily } from '../../../bridge/protocol/index.ts';
import { setNames } from '../../env/index.ts';
import { computerTools, coreComputerTools } from './computer/index.ts';
import { corePeopleTools, peopleTools } from './people.ts';
import type { ServedTool } from './served-tool.ts';
import { registryTools } from './registry.ts';
import { setTools } from './sets.ts';

/** Which tools a server has, and the form of their results. Without a choice: the core, and the others on request. */
export interface ServedToolOptions {
  /** Serves only the tools of this set, e.g. `ide-bench`. With no other choice. */
  readonly set?: string | undefined;
  /** Serves these families of the registry; `computer`, `people` and `core` count as families. */
  readonly families?: readonly string[] | undefined;
  /** Serves these tools, besides those of `families`. */
  readonly tools?: readonly string[] | undefined;
  /** Serves all tools of the registry, `computer_*`, and those about people. Default false. */
  readonly all?: boolean | undefined;
  /** Only tools that change nothing. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Results as objects, too, with their schemas; see {@link registryTools}. Default false. */
  readonly structured?: boolean | undefined;
}

/** The tools of a server. */
export interface ServedTools {
  /** What each client is shown at first. */
  readonly listed: readonly ServedTool[];
  /** What a client may add. */
  readonly more: readonly ServedTool[];
}

const servedFamilies: readonly string[] = ['core', ...toolFamilies, 'computer', 'people'];

const core = new Set([...coreTools, ...coreComputerTools, ...corePeopleTools]);
const familyOfName = new Map<string, ToolFamily>(tools.map(({ name, family }) => [name, family]));

const people = new Set(peopleTools.map(({ definition }) => definition.name));

export type ServedFamily = ToolFamily | 'computer' | 'people';

/** The family of a served tool. */
export function familyOf({ definition }: ServedTool): ServedFamily {
  return familyNamed(definition.name);
}

function familyNamed(name: string): ServedFamily {
  return familyOfName.get(name) ?? (people.has(name) ? 'people' : 'computer');
}

/** The tools that a server has. Errors: `usage` for an unknown name, and for choices that don't go together. */
export function chooseServedTools(options: ServedToolOptions): ServedTools {
  const { set, families, tools: names, all = false, readOnly = false, structured = false } = options;
  if (set !== undefined && (families ?? names ?? (all || structured || undefined)) !== undefined)
    throw new PwpError('usage', '--set takes none of --tools, --families, --all and --structured');
  if (all && (families ?? names) !== undefined)
    throw new PwpError('usage', '--all takes neither --tools nor --families');
  const allowed = ({ definition }: ServedTool) => !readOnly || definition.annotations?.readOnlyHint === true;
  if (set !== undefined && !setNames.includes(set)) throw unknown('set of tools', set, setNames);
  if (set !== undefined) return { listed: setTools(set).filter(allowed), more: [] };
  const every = [...registryTools(structured), ...computerTools, ...peopleTools].filter(allowed);
  if (all) return { listed: every, more: [] };
  if (families === undefined && names === undefined)
    return { listed: every.filter(isIn(core)), more: every.filter((tool) => !isIn(core)(tool)) };
  const listed = every.filter(isIn(chosenNames(families ?? [], names ?? [])));
  if (listed.length === 0) throw new PwpError('usage', 'these choices leave no tool');
  return { listed, more: [] };
}

function isIn(names: ReadonlySet<string>): (tool: ServedTool) => boolean {
  return ({ definition }) => names.has(definition.name);
}

function chosenNames(families: readonly string[], names: readonly string[]): ReadonlySet<string> {
  const own = [...computerTools, ...peopleTools].map(({ definition }) => definition.name);
  const every = [...tools.map(({ name }) => name), ...own];
  for (const family of families)
    if (!servedFamilies.includes(family)) throw unknown('family of tools', family, servedFamilies);
  for (const name of names) if (!every.includes(name)) throw unknown('tool', name, every);
  const inFamily = (name: string) => families.includes(familyNamed(name));
  const inCore = (name: string) => families.includes('core') && core.has(name);
  return new Set(every.filter((name) => inFamily(name) || inCore(name) || names.includes(name)));
}

function unknown(what: string, given: string, known: readonly string[]): PwpError {
  const message = `there is no ${what} ${JSON.stringify(given.slice(0, 200))}: ${hint(given, known)}`;
  return new PwpError('usage', message, {
    help: 'On a command line the folder comes before the names, or -- between them.',
  });
}

/** Which of the known names is meant; all of them if none is near and they are few. */
export function hint(given: string, known: readonly string[]): string {
  const name = given.toLowerCase();
  const overlaps = (one: string) => name.length > 2 && (one.includes(name) || name.includes(one));
  const near = nearest(given, known) ?? known.find(overlaps);
  if (near !== undefined) return `did you mean ${near}?`;
  return known.length <= 20 ? `expected ${known.join(', ')}` : "'pwp tools' lists them";
}
