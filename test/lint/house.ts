import type { ESLint, Rule } from 'eslint';
import { readFileSync } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import ts from 'typescript';

/** A shorter file is part of another one, unless it is a door, or a program: a file that exports nothing. */
export const leastLines = 20;

/** The folders whose files can import what records and studies say. */
const readers = ['host/doors/', 'host/read/', 'test/', 'bench/'];

/** The product's files, and which of them declare an exported name. Paths are relative to the root, with slashes. */
export class House {
  readonly #root: string;
  readonly #exports = new Map<string, Set<string>>();
  readonly #baseNames = new Map<string, Set<string>>();

  constructor(root: string) {
    this.#root = root;
    for (const folder of ['host', 'bridge', 'extension'])
      for (const file of ts.sys.readDirectory(join(root, folder), ['.ts'], ['**/node_modules'], undefined))
        this.#add(this.pathOf(file), readFileSync(file, 'utf8'));
  }

  /** The path of a file in this house. */
  pathOf(file: string): string {
    return relative(this.#root, file).split(sep).join('/');
  }

  /** The other files that export a declaration of this name. */
  othersThatExport(file: string, name: string): string[] {
    return others(this.#exports.get(name), file);
  }

  /** The other files of the room with this file's base name. */
  othersOfItsName(file: string): string[] {
    return isDoor(file) ? [] : others(this.#baseNames.get(keyInRoom(file)), file);
  }

  #add(file: string, text: string): void {
    addTo(this.#baseNames, keyInRoom(file), file);
    for (const name of exportedNames(text)) addTo(this.#exports, name, file);
  }
}

/** The room that a file of the product is in: `host/node`, `bridge/lib`, `extension/python/src`. */
export function roomOf(file: string): string {
  const depth = file.startsWith('extension/') && !file.startsWith('extension/src/') ? 3 : 2;
  return file.split('/').slice(0, depth).join('/');
}

export function isProduct(file: string): boolean {
  return /^(host|bridge|extension)\//.test(file);
}

export function isDoor(file: string): boolean {
  return basename(file) === 'index.ts';
}

/** The names of the declarations that a file exports. Those that it passes on are declared elsewhere. */
export function exportedNames(text: string): Set<string> {
  const source = ts.createSourceFile('file.ts', text, ts.ScriptTarget.Latest);
  return new Set(source.statements.filter(isExported).flatMap(declaredNames));
}

function isExported(statement: ts.Statement): boolean {
  const modifiers = ts.canHaveModifiers(statement) ? ts.getModifiers(statement) : undefined;
  return modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) ?? false;
}

function declaredNames(statement: ts.Statement): string[] {
  if (ts.isVariableStatement(statement))
    return statement.declarationList.declarations.flatMap(({ name }) =>
      ts.isIdentifier(name) ? [name.text] : [],
    );
  const { name } = statement as { readonly name?: ts.Node };
  return name && ts.isIdentifier(name) ? [name.text] : [];
}

function keyInRoom(file: string): string {
  return `${roomOf(file)}: ${basename(file)}`;
}

function addTo(map: Map<string, Set<string>>, key: string, value: string): void {
  map.set(key, (map.get(key) ?? new Set()).add(value));
}

function others(files: ReadonlySet<string> | undefined, file: string): string[] {
  return [...(files ?? [])].filter((other) => other !== file).sort();
}

/** One for each root that this process lints. */
const houses = new Map<string, House>();

function houseOf(context: Rule.RuleContext): House {
  const house = houses.get(context.cwd) ?? new House(context.cwd);
  houses.set(context.cwd, house);
  return house;
}

/** What VS Code calls by name in every extension. */
const calledByName = new Set(['activate', 'deactivate']);

const uniqueExports: Rule.RuleModule = {
  meta: {
    type: 'problem',
    docs: { description: 'An exported name means one thing in the whole repository' },
    messages: { taken: '{{name}} is also exported by {{files}}' },
    schema: [],
  },
  create: (context) => ({
    Program: (node) => {
      const house = houseOf(context);
      const file = house.pathOf(context.filename);
      for (const name of exportedNames(context.sourceCode.text)) {
        const files = house.othersThatExport(file, name).join(', ');
        if (files && !calledByName.has(name))
          context.report({ node, messageId: 'taken', data: { name, files } });
      }
    },
  }),
};

const uniqueFiles: Rule.RuleModule = {
  meta: {
    type: 'problem',
    docs: { description: "A file's name is unique in its room" },
    messages: { taken: 'Has the name of {{files}}' },
    schema: [],
  },
  create: (context) => ({
    Program: (node) => {
      const house = houseOf(context);
      const files = house.othersOfItsName(house.pathOf(context.filename)).join(', ');
      if (files) context.report({ node, messageId: 'taken', data: { files } });
    },
  }),
};

const enoughLines: Rule.RuleModule = {
  meta: {
    type: 'problem',
    docs: { description: 'A file that is not a door has enough lines to be looked for' },
    messages: { few: 'Has {{lines}} lines, fewer than {{least}}: move them to the file that uses them' },
    schema: [],
  },
  create: (context) => ({
    Program: (node) => {
      const lines = context.sourceCode.lines.length - 1;
      const exportsNothing = exportedNames(context.sourceCode.text).size === 0;
      if (lines >= leastLines || isDoor(context.filename) || exportsNothing) return;
      context.report({ node, messageId: 'few', data: { lines: String(lines), least: String(leastLines) } });
    },
  }),
};

const onlyDoorsRead: Rule.RuleModule = {
  meta: {
    type: 'problem',
    docs: { description: 'Only doors import what records and studies say' },
    messages: { reads: 'Only host/doors imports host/read' },
    schema: [],
  },
  create: (context) => ({
    ImportDeclaration: (node) => {
      const file = houseOf(context).pathOf(context.filename);
      if (readers.some((folder) => file.startsWith(folder))) return;
      const target = join(file, '..', String(node.source.value)).split(sep).join('/');
      if (target.startsWith('host/read/')) context.report({ node, messageId: 'reads' });
    },
  }),
};

/** What a function that looks up by a key has in its body: `table[key]`, or one of these calls. */
const lookUps = new Set(['get', 'find', 'findLast', 'at', 'has']);

const ofLooksUp: Rule.RuleModule = {
  meta: {
    type: 'suggestion',
    docs: { description: 'Only functions that look something up by a key are named …Of' },
    messages: { name: '{{name}} looks nothing up: begin its name with what it does' },
    schema: [],
  },
  create: (context) => {
    const open: { readonly name: string; readonly node: Rule.Node; looksUp: boolean }[] = [];
    const found = (): void => {
      for (const one of open) one.looksUp = true;
    };
    return {
      FunctionDeclaration: (node) => {
        open.push({ name: node.id?.name ?? '', node, looksUp: false });
      },
      MemberExpression: (node) => {
        const { computed, property } = node;
        if (computed || (property.type === 'Identifier' && lookUps.has(property.name))) found();
      },
      'FunctionDeclaration:exit': () => {
        const last = open.pop();
        if (!last || last.looksUp || !/(?<!One)(?<=[a-z])Of$/.test(last.name)) return;
        context.report({ node: last.node, messageId: 'name', data: { name: last.name } });
      },
    };
  },
};

/** Rules for the names and files of the product. */
export const houseRules: ESLint.Plugin = {
  rules: {
    'unique-exports': uniqueExports,
    'unique-files': uniqueFiles,
    'enough-lines': enoughLines,
    'only-doors-read': onlyDoorsRead,
    'of-looks-up': ofLooksUp,
  },
};
