import type * as vscode from 'vscode';
import type { searchTools, ToolInput, ToolOutput } from '../../../../../bridge/protocol/index.ts';
import type { ToolContext } from '../../../../../bridge/rpc/index.ts';
import { ask, asking, openProject, refuseUnserved } from '../../code/index.ts';
import { isCommonJs, referencesInCommonJs } from './common-js.ts';
import { implementationsInPython } from './implementations.ts';
import { plainPlaces } from './plain.ts';
import { positionAt, type Named } from './named.ts';

type Search = typeof searchTools;
type Places = ToolOutput<Search['findReferences']>;
const references = 'vscode.executeReferenceProvider';
const implementations = 'vscode.executeImplementationProvider';
type Locations = readonly (vscode.Location | vscode.LocationLink)[] | undefined;

export function findReferences(
  input: ToolInput<Search['findReferences']>,
  { signal }: ToolContext,
): Promise<Places> {
  return placesOf(references, input, input.limit, signal);
}

export function findImplementations(
  input: ToolInput<Search['findImplementations']>,
  { signal }: ToolContext,
): Promise<Places> {
  return placesOf(implementations, input, input.limit, signal);
}

const definitionCommands = {
  definition: 'vscode.executeDefinitionProvider',
  declaration: 'vscode.executeDeclarationProvider',
  type: 'vscode.executeTypeDefinitionProvider',
} as const;

export function goToDefinition(
  input: ToolInput<Search['goToDefinition']>,
  { signal }: ToolContext,
): Promise<Places> {
  return placesOf(definitionCommands[input.of], input, 100, signal);
}

async function placesOf(
  command: string,
  input: Named & { readonly timeout_ms: number },
  limit: number,
  signal: AbortSignal,
): Promise<Places> {
  const { document, position } = await positionAt(input, input.timeout_ms, signal);
  const { found, incomplete } = await asking(document, input.timeout_ms, signal, async (how) => {
    const why = await openProject(document);
    const inPython = command === implementations && document.languageId === 'python';
    const answer = inPython
      ? implementationsInPython(document.uri, position, how)
      : ask<Locations>(command, how, document.uri, position);
    const found = (await answer) ?? [];
    if (command !== references || !isCommonJs(document)) return { found, incomplete: why };
    const { all, incomplete } = await referencesInCommonJs(found, how);
    return { found: all, incomplete: why ?? incomplete };
  });
  if (found.length === 0) refuseUnserved(document);
  return { ...(await plainPlaces(found, limit)), incomplete };
}
