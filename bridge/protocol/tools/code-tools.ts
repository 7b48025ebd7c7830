import * as z from 'zod';
import { columnNumber, defineTool, lineNumber, pathArgument, resultPath } from './tool.ts';

const codeText = z.string().max(10_000);
const codeBase = { family: 'search', where: 'extension', readOnly: true } as const;

/** Names a place in code: the language server is asked about the symbol there. */
const placeArgument = {
  path: pathArgument,
  line: lineNumber.optional().describe('line of the symbol; default: the first line that has `symbol`'),
  column: columnNumber.optional().describe('where the symbol is in the line; default: where `symbol` is'),
  symbol: z
    .string()
    .min(1)
    .max(500)
    .optional()
    .describe('its name, exactly as in the text; needed without a column'),
};
const answerTimeout = {
  timeout_ms: z
    .int()
    .min(1)
    .max(120_000)
    .default(20_000)
    .describe('maximum milliseconds to wait for the language server'),
};
const limitArgument = { limit: z.int().min(1).max(2000).default(200).describe('maximum number of places') };

const symbolPlace = z.object({
  path: resultPath,
  line: lineNumber,
  column: columnNumber,
  end_line: lineNumber,
  end_column: columnNumber,
  text: z.string().max(500).describe('the line'),
});

const foundSymbol = z.object({
  name: codeText,
  kind: z.string().max(40).describe('e.g. class, function, method'),
  container: codeText.describe('what it is part of; empty at the top level'),
  path: resultPath,
  line: lineNumber,
  column: columnNumber,
  end_line: lineNumber,
});
type FoundSymbol = z.output<typeof foundSymbol>;

const incomplete = codeText
  .nullable()
  .describe('why the answer may be incomplete, e.g. because only open files are known; else null');

const places = z.object({
  places: z.array(symbolPlace).max(2000),
  total: z.int().nonnegative().describe('number of places that the language server reported'),
  truncated: z.boolean().describe('there are more than the limit'),
  incomplete,
});

const related = z.object({
  symbol: foundSymbol.describe('the symbol in question'),
  related: z
    .array(
      foundSymbol.extend({
        level: z.int().positive().describe('1: directly related; 2: related to one of level 1, …'),
        of: codeText.describe('the symbol of the previous level that it is related to'),
        calls: z.array(lineNumber).max(100).describe('lines of the calls; empty for types'),
      }),
    )
    .max(2000),
  truncated: z.boolean(),
  incomplete,
});

const errors =
  'If the IDE has no language server for the language, it fails with no-language-server; use grep_search then.';

/** Questions to the language server of a file. */
export const codeTools = {
  workspaceSymbols: defineTool({
    ...codeBase,
    name: 'workspace_symbols',
    title: 'Find symbols',
    description: `Finds classes, functions and other symbols of the workspace by name, as the language servers know them. ${errors}`,
    sources: [],
    input: z.strictObject({
      query: z.string().min(1).max(500).describe('part of a name'),
      ...limitArgument,
      ...answerTimeout,
    }),
    output: z.object({
      symbols: z.array(foundSymbol).max(2000),
      total: z.int().nonnegative(),
      truncated: z.boolean(),
    }),
    text: ({ symbols, total }) => [`${total} symbols`, ...symbols.map(formatSymbol)].join('\n'),
  }),
  documentSymbols: defineTool({
    ...codeBase,
    name: 'document_symbols',
    title: 'Structure of a file',
    description: `Gives the outline of a file: its classes, functions and other symbols, nested, with their lines. ${errors}`,
    sources: [],
    input: z.strictObject({ path: pathArgument, ...limitArgument, ...answerTimeout }),
    output: z.object({
      path: resultPath,
      symbols: z
        .array(foundSymbol.extend({ level: z.int().positive().describe('1 at the top'), detail: codeText }))
        .max(2000),
      total: z.int().nonnegative(),
      truncated: z.boolean(),
    }),
    text: ({ path, symbols, total }) =>
      [
        `${path}: ${total} symbols`,
        ...symbols.map(
          (one) =>
            `${'  '.repeat(one.level - 1)}${one.kind} ${one.name}${one.detail && ` ${one.detail}`}  ${one.line}-${one.end_line}`,
        ),
      ].join('\n'),
  }),
  findReferences: defineTool({
    ...codeBase,
    name: 'find_references',
    title: 'Find references',
    description: `Finds every place that refers to a symbol. ${errors}`,
    sources: [{ from: 'VS Code', name: 'get_references' }],
    input: z.strictObject({ ...placeArgument, ...limitArgument, ...answerTimeout }),
    output: places,
    text: renderPlaces,
  }),
  goToDefinition: defineTool({
    ...codeBase,
    name: 'go_to_definition',
    title: 'Find a definition',
    description: `Finds where a symbol is defined, or declared, or where its type is. ${errors}`,
    sources: [],
    input: z.strictObject({
      ...placeArgument,
      of: z.enum(['definition', 'declaration', 'type']).default('definition').describe('what to find'),
      ...answerTimeout,
    }),
    output: places,
    text: renderPlaces,
  }),
  findImplementations: defineTool({
    ...codeBase,
    name: 'find_implementations',
    title: 'Find implementations',
    description: `Finds what implements an interface, a class or a method. ${errors}`,
    sources: [],
    input: z.strictObject({ ...placeArgument, ...limitArgument, ...answerTimeout }),
    output: places,
    text: renderPlaces,
  }),
  callHierarchy: defineTool({
    ...codeBase,
    name: 'call_hierarchy',
    title: 'Callers and callees',
    description: `Finds which functions call a function, or which it calls, over several levels. ${errors}`,
    sources: [],
    input: z.strictObject({
      ...placeArgument,
      path: pathArgument.optional().describe('default: where the workspace has one function named `symbol`'),
      direction: z
        .enum(['incoming', 'outgoing'])
        .default('incoming')
        .describe('incoming: its callers; outgoing: what it calls'),
      depth: z.int().min(1).max(5).default(1).describe('levels'),
      ...limitArgument,
      ...answerTimeout,
    }),
    output: related,
    text: renderRelated,
  }),
  typeHierarchy: defineTool({
    ...codeBase,
    name: 'type_hierarchy',
    title: 'Supertypes and subtypes',
    description: `Finds what a class or interface extends and implements, or what extends and implements it. ${errors}`,
    sources: [],
    input: z.strictObject({
      ...placeArgument,
      direction: z.enum(['supertypes', 'subtypes']).default('subtypes').describe('which way'),
      depth: z.int().min(1).max(5).default(1).describe('levels'),
      ...limitArgument,
      ...answerTimeout,
    }),
    output: related,
    text: renderRelated,
  }),
  hover: defineTool({
    ...codeBase,
    name: 'hover',
    title: 'Signature and documentation',
    description: `Gives what the IDE shows when the pointer rests on a symbol: signature, type, documentation. ${errors}`,
    sources: [],
    input: z.strictObject({ ...placeArgument, ...answerTimeout }),
    output: z.object({
      contents: z.string().max(50_000).describe('Markdown; empty if there is nothing to show'),
      truncated: z.boolean(),
    }),
    text: ({ contents }) => (contents === '' ? 'nothing is known about the symbol' : contents),
  }),
};

function formatSymbol({ path, line, kind, name, container }: FoundSymbol): string {
  return `${path}:${line} ${kind} ${container === '' ? '' : `${container} › `}${name}`;
}

function listSearchNotes(why: string | null): string[] {
  return why === null ? [] : [`may lack some: ${why}`];
}

function renderPlaces({ places: all, total, incomplete: why }: z.output<typeof places>): string {
  const cut = all.length < total ? `, the first ${all.length}` : '';
  return [
    `${total} places${cut}`,
    ...listSearchNotes(why),
    ...all.map((one) => `${one.path}:${one.line}:${one.column}: ${one.text.trim()}`),
  ].join('\n');
}

function renderRelated({
  symbol: asked,
  related: all,
  truncated,
  incomplete: why,
}: z.output<typeof related>): string {
  const lines = all.map((one) => {
    const calls = one.calls.length === 0 ? '' : ` (calls at ${one.calls.join(', ')})`;
    return `${'  '.repeat(one.level)}${formatSymbol(one)}${calls}`;
  });
  const head = `${formatSymbol(asked)}: ${all.length} related${truncated ? ', cut here' : ''}`;
  return [head, ...listSearchNotes(why), ...lines].join('\n');
}
