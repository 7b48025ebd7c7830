import { PwpError } from '../../../bridge/lib/index.ts';
import { toolFamilies, tools } from '../../../bridge/protocol/index.ts';
import { computerTools } from './computer/index.ts';
import type { ServedTool } from './served-tool.ts';
import { registryTools } from './registry.ts';
import { setTools } from './sets.ts';

/** Which tools a server has, and the form of their results. */
export interface ServedToolOptions {
  /** Serves only the tools of this set, e.g. `ide-bench`, instead of the registry's and `computer_*`. Default: none. */
  readonly set?: string | undefined;
  /** Families of the registry, and `computer`. Default: all. Not with a set. */
  readonly families?: readonly string[] | undefined;
  /** Only tools that change nothing. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Results as objects, too, with their schemas; see {@link registryTools}. Default false. */
  readonly structured?: boolean | undefined;
}

export const servedFamilies: readonly string[] = [...toolFamilies, 'computer'];

/** The tools that a server has. Errors: `usage` for an unknown family. */
export function chooseServedTools({
  set,
  families,
  readOnly = false,
  structured = false,
}: ServedToolOptions): ServedTool[] {
  if (set !== undefined && (families !== undefined || structured))
    throw new PwpError('usage', '--set takes neither --families nor --structured');
  const unknown = families?.find((family) => !servedFamilies.includes(family));
  if (unknown !== undefined)
    throw new PwpError('usage', `unknown family of tools: ${unknown}; expected ${servedFamilies.join(', ')}`);
  const familyOf = new Map<string, string>(tools.map(({ name, family }) => [name, family]));
  const served = set === undefined ? [...registryTools(structured), ...computerTools] : setTools(set);
  return served.filter(({ definition }) => {
    if (readOnly && definition.annotations?.readOnlyHint !== true) return false;
    if (set !== undefined) return true;
    return families?.includes(familyOf.get(definition.name) ?? 'computer') ?? true;
  });
}
