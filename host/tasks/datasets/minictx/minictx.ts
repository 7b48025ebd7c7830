import { readdir } from 'node:fs/promises';
import { basename, join, resolve } from 'node:path';
import * as z from 'zod';
import { isFolder } from '../../../lib/index.ts';
import { makeTask, makeTextEntry, type Task } from '../../format/index.ts';
import {
  type Dataset,
  type DatasetAbout,
  makeRecordConfig,
  makeTaskId,
  makeWriteScript,
  noData,
  openRecords,
  packPythonTests,
  readRecords,
} from '../records/index.ts';

const about: DatasetAbout = {
  name: 'minictx',
  title: 'miniCTX',
  family: 'Domain-specific programming',
  records: 381,
  source: 'cmu-l3/minictx-eval on GitHub, data/minictx',
  licence: 'none stated; each Lean project has its own',
  metric:
    'Share of theorems proved: Lean reports no new error; no sorry, admit or new axiom, and the statement is as it was.',
  agentCode: 'nowhere',
  files: ['*.jsonl (or data/minictx/*.jsonl)'],
  needs: [
    "Lean 4 and the built project of each theorem, which are not in the sandbox image: a text that may be a proof gets no score. What can't be one scores 0.",
  ],
};

const theoremSchema = z.looseObject({
  srcContext: z.string(),
  theoremStatement: z.string().min(1),
  theoremName: z.string().nullish(),
  file: z.string().nullish(),
  proofMetadata: z.looseObject({ proof: z.string().nullish() }).nullish(),
});
type Theorem = z.output<typeof theoremSchema> & { readonly id: string };

const answerFile = 'Problem.lean';

/** Theorems in their files' contexts. Their names are not unique: an id is the file's name and the record's number. */
export const minictx: Dataset = {
  about,
  open: async (path) => {
    const files = await findFiles(resolve(path));
    const read = await Promise.all(files.map(readTheorems));
    return openRecords({
      ...{ about, file: path, records: read.flatMap(({ theorems }) => theorems) },
      unreadable: new Map(read.flatMap(({ unreadable }) => unreadable)),
      idOf: ({ id }) => id,
      taskOf: (theorem) => makeTheoremTask(path, theorem),
    });
  },
};

async function findFiles(path: string): Promise<string[]> {
  if (path.endsWith('.jsonl')) return [path];
  const folder = await findFirstFolder(path, ['data/minictx', '.']);
  const names = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.jsonl')).sort();
  if (names.length === 0) throw noData(about, join(path, '*.jsonl'));
  return names.map((name) => join(folder, name));
}

async function readTheorems(file: string) {
  const { numbered, unreadable } = await readRecords(file, theoremSchema);
  const stem = basename(file, '.jsonl');
  return {
    theorems: numbered.map(({ record: one, index }): Theorem => ({ ...one, id: `${stem}-${index + 1}` })),
    unreadable: [...unreadable].map(([where, why]): [string, string] => [`${stem}, ${where}`, why]),
  };
}

async function makeTheoremTask(path: string, theorem: Theorem): Promise<Task> {
  const { srcContext: context, theoremStatement: statement } = theorem;
  const problem = `${context}${statement.trimEnd()} := by\n  sorry\n`;
  const tests = { 'context.lean': context, 'statement.lean': statement };
  const proof = theorem.proofMetadata?.proof;
  return makeTask({
    id: makeTaskId(about, theorem.id),
    path,
    instruction: writeInstruction(theorem),
    config: makeRecordConfig(about, {
      open: [answerFile],
      knownInside: ['tests/context.lean', 'tests/statement.lean'],
    }),
    workspace: [makeTextEntry(answerFile, problem)],
    tests: await packPythonTests(about, tests),
    solutions: proof
      ? [{ name: 'gold', text: makeWriteScript(answerFile, `${context}${insertProof(statement, proof)}`) }]
      : [],
    falseSolutions: [
      {
        name: 'admit',
        why: 'It leaves the goal open.',
        text: makeWriteScript(answerFile, problem.replace(/sorry\n$/, 'admit\n')),
      },
      {
        name: 'axiom',
        why: 'It assumes what is to be proved.',
        text: makeWriteScript(
          answerFile,
          `axiom assumed : False\n${problem.replace(/sorry\n$/, 'exact assumed.elim\n')}`,
        ),
      },
    ],
  });
}

/** In some files the recorded proof begins with its `:=`. */
function insertProof(statement: string, proof: string): string {
  return `${statement.trimEnd()} ${proof.startsWith(':=') ? '' : ':= '}${proof}\n`;
}

function writeInstruction({ file, theoremName }: Theorem): string {
  const origin = file ? ` It is the beginning of ${file}.` : '';
  const name = theoremName ? ` \`${theoremName}\`` : '';
  return [
    `The file /workspace/${answerFile}, which is open in the editor, ends with a theorem${name} of Lean 4 whose proof is \`sorry\`.${origin}`,
    'Replace `sorry` with a proof. Leave everything before it as it is, add nothing after it, and use no `sorry`, `admit`, `native_decide` or axiom of your own.',
  ].join('\n');
}

/** The first of these folders below a path that exists; else the path itself. */
async function findFirstFolder(path: string, names: readonly string[]): Promise<string> {
  for (const name of names) {
    const folder = join(path, name);
    if (await isFolder(folder)) return folder;
  }
  return path;
}
