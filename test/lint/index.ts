import type { ESLint, Rule } from 'eslint';
import { ImportGraph } from './graph.ts';

/** One for each root that this process lints: files are read again when they are linted. */
const graphs = new Map<string, ImportGraph>();

const noCircle: Rule.RuleModule = {
  meta: {
    type: 'problem',
    docs: { description: 'No circle of files or folders, those of types alone included' },
    messages: { circle: 'Closes a circle in {{folder}}: {{path}}' },
    schema: [],
  },
  create: (context) =>
    onImports(context, (node, graph, file, specifier) => {
      const circle = graph.circle(file, specifier);
      if (!circle) return;
      const { folder, path } = circle;
      context.report({ node, messageId: 'circle', data: { folder, path: path.join(' → ') } });
    }),
};

const throughDoors: Rule.RuleModule = {
  meta: {
    type: 'problem',
    docs: { description: 'What is in a folder is imported from its index.ts' },
    messages: { door: 'Goes past the door of a folder: import {{door}}' },
    schema: [],
  },
  create: (context) =>
    onImports(context, (node, graph, file, specifier) => {
      const door = graph.missedDoor(file, specifier);
      if (door !== undefined) context.report({ node, messageId: 'door', data: { door } });
    }),
};

/** Rules over the whole tree of sources, which no single file shows. */
export const importRules: ESLint.Plugin = {
  rules: { 'no-circle': noCircle, 'through-doors': throughDoors },
};

type Check = (node: Rule.Node, graph: ImportGraph, file: string, specifier: string) => void;

/** Calls `check` for every import of a file: of values, of types, and re-exports. */
function onImports(context: Rule.RuleContext, check: Check): Rule.RuleListener {
  const graph = graphs.get(context.cwd) ?? new ImportGraph(context.cwd);
  graphs.set(context.cwd, graph);
  const file = graph.pathOf(context.filename);
  const found: { readonly node: Rule.Node; readonly specifier: string }[] = [];
  const add = (node: Rule.Node): void => {
    const { source } = node as { readonly source?: { readonly value?: unknown } | null };
    if (typeof source?.value === 'string') found.push({ node, specifier: source.value });
  };
  return {
    ImportDeclaration: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    ImportExpression: add,
    TSImportType: add,
    'Program:exit': () => {
      graph.set(
        file,
        found.map(({ specifier }) => specifier),
      );
      for (const { node, specifier } of found) check(node, graph, file, specifier);
    },
  };
}
