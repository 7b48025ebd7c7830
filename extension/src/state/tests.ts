import * as vscode from 'vscode';
import type {
  ide,
  ParamsOut,
  ResultOf,
  runTools,
  TestRun,
  ToolOutput,
} from '../../../bridge/protocol/index.ts';
import { clipText } from '../lib/index.ts';
import { parseUri, uriText } from './protocol-uri.ts';

type TestRunOutput = ToolOutput<typeof runTools.runTests>;

const testLimits = { controllers: 100, inFile: 2000, depth: 50 };

const unseenTestsNote =
  "VS Code's API shows an extension no test controller but its own: not the names and results of others' tests, not runs from the Testing view, no coverage. Results are those of the tool run_tests; what a test is called is its id.";

/** The last run of the tool that runs tests. */
export class TestRuns implements vscode.Disposable {
  readonly #ended = new vscode.EventEmitter<void>();
  #last: { readonly run: TestRunOutput; readonly at: number } | undefined;

  readonly onDidEnd = this.#ended.event;

  report(run: TestRunOutput): void {
    this.#last = { run, at: performance.now() };
    this.#ended.fire();
  }

  get last(): TestRun | null {
    if (!this.#last) return null;
    const { runner, status, tests, omitted } = this.#last.run;
    const ageMs = performance.now() - this.#last.at;
    return {
      runner,
      status,
      ageMs,
      tests: tests.map(({ id, status: came, message }) => ({ id, status: came, message })),
      omitted,
    };
  }

  dispose(): void {
    this.#ended.dispose();
  }
}

/** Answers `ide.tests`. */
export async function readTests(
  runs: TestRuns,
  { uri: wanted }: ParamsOut<typeof ide.tests>,
): Promise<ResultOf<typeof ide.tests>> {
  const uri =
    wanted === undefined ? vscode.window.activeTextEditor?.document.uri : parseUri('ide.tests', wanted);
  const controllers = await runInternalCommand<string[]>('vscode.testing.getControllersWithTests');
  const found = uri && (await runInternalCommand<string[][]>('vscode.testing.getTestsInFile', uri));
  return {
    controllers: controllers?.slice(0, testLimits.controllers).map(clipText) ?? null,
    uri: uri ? uriText(uri) : null,
    inFile: (found ?? [])
      .slice(0, testLimits.inFile)
      .map((path) => path.slice(0, testLimits.depth).map(clipText)),
    lastRun: runs.last,
    unseen: unseenTestsNote,
  };
}

/** VS Code's commands outside of its API: undefined if this version does not have them. */
async function runInternalCommand<T>(command: string, ...given: unknown[]): Promise<T | undefined> {
  try {
    return await vscode.commands.executeCommand<T | undefined>(command, ...given);
  } catch {
    return undefined;
  }
}
