import ts from 'typescript';
import * as z from 'zod';
import type { Desk } from './desk.ts';

const read = `import glob
print(json.dumps({f'/workspace/{name}': open(name).read() for name in glob.glob('src/**/*.ts', recursive=True)}))`;

const options: ts.CompilerOptions = {
  strict: true,
  noEmit: true,
  target: ts.ScriptTarget.ESNext,
  module: ts.ModuleKind.NodeNext,
  allowImportingTsExtensions: true,
  types: [],
};

/** Errors of the workspace's TypeScript by this package's own compiler, e.g. `src/a.ts:1 2322`; sorted. */
export async function compilerErrors(desk: Desk): Promise<string[]> {
  const texts = new Map(Object.entries(z.record(z.string(), z.string()).parse(await desk.python(read))));
  const plain = ts.createCompilerHost(options);
  const readFile = (path: string) => texts.get(path) ?? plain.readFile(path);
  const host: ts.CompilerHost = {
    ...plain,
    readFile,
    fileExists: (path) => texts.has(path) || plain.fileExists(path),
    directoryExists: () => true,
    getSourceFile: (path, target) => {
      const text = readFile(path);
      return text === undefined ? undefined : ts.createSourceFile(path, text, target);
    },
  };
  const program = ts.createProgram([...texts.keys()], options, host);
  return ts.getPreEmitDiagnostics(program).map(errorLine).sort();
}

function errorLine({ file, start = 0, code }: ts.Diagnostic): string {
  const line = file ? file.getLineAndCharacterOfPosition(start).line + 1 : 0;
  return `${(file?.fileName ?? '').replace('/workspace/', '')}:${line} ${code}`;
}
