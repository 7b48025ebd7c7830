import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { createInterface } from 'node:readline';
import type { Readable, Writable } from 'node:stream';
import * as vscode from 'vscode';
import * as z from 'zod';
import { deadline, raceSignal, signalGroup } from '../../../../bridge/lib/index.ts';
import { runTools, toolError, type ToolInput, type ToolOutput } from '../../../../bridge/protocol/index.ts';
import type { ToolContext, ToolHandlers } from '../../../../bridge/rpc/index.ts';
import { renderTerminalText } from '../../../../bridge/text/index.ts';
import { findInterpreter } from '../../language/index.ts';
import { clipMiddle, Transcript } from '../../lib/index.ts';
import { runInFileOrder } from '../change-document.ts';

type RunPython = (typeof runTools)['runPython'];
const pythonLimits = { output: 200_000, value: 100_000, sessions: 8 };

/** Interpreters by the name of their session. They end with this process, when their pipes close. */
const pythonSessions = new Map<string, PythonSession>();

/** Adds Python in persistent interpreters. */
export function addPythonTool(handlers: ToolHandlers): ToolHandlers {
  return handlers.add(runTools.runPython, (input, { signal }) =>
    runInFileOrder(`python session ${input.session}`, signal, () => runCode(input, signal)),
  );
}

async function runCode(
  { code, session, reset, timeout_ms: ms }: ToolInput<RunPython>,
  signal: ToolContext['signal'],
): Promise<ToolOutput<RunPython>> {
  const began = performance.now();
  if (reset) endPythonSession(session);
  const known = pythonSessions.get(session)?.alive === true;
  const interpreter = await openPythonSession(session, signal);
  const cell = await interpreter.run(code, ms, signal);
  const output = clipMiddle(renderTerminalText(cell.output), pythonLimits.output);
  const result = clipMiddle(cell.result ?? '', pythonLimits.value);
  const error = clipMiddle(cell.error ?? '', pythonLimits.value);
  return {
    ...interpreter.about,
    status: cell.status,
    output: output.text,
    result: cell.result === null ? null : result.text,
    error: cell.error === null ? null : error.text,
    truncated: output.omitted + result.omitted + error.omitted > 0,
    fresh: !known,
    duration_ms: performance.now() - began,
  };
}

async function openPythonSession(name: string, signal: AbortSignal): Promise<PythonSession> {
  const known = pythonSessions.get(name);
  if (known?.alive) return known;
  pythonSessions.delete(name);
  if (pythonSessions.size >= pythonLimits.sessions) {
    const names = [...pythonSessions.keys()].join(', ');
    throw toolError('too-large', `${pythonLimits.sessions} interpreters run: ${names}`, {
      help: 'Use one of them',
    });
  }
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  if (folder === undefined) throw toolError('not-found', 'the window shows no folder');
  const started = await PythonSession.start(folder, signal);
  pythonSessions.set(name, started);
  return started;
}

function endPythonSession(name: string): void {
  pythonSessions.get(name)?.[Symbol.dispose]();
  pythonSessions.delete(name);
}

/** Maximum time for an interpreter to start, in milliseconds. */
const interpreterStartMs = 30_000;
/** Maximum time for interrupted code to end before its interpreter is killed, in milliseconds. */
const interpreterInterruptMs = 2000;

const helloSchema = z.object({ engine: z.enum(['ipython', 'python']), version: z.string().max(100) });
const answerSchema = z.object({ result: z.string().nullable(), error: z.string().nullable() });

interface CellResult {
  readonly status: 'ok' | 'error' | 'timed-out' | 'died';
  readonly output: string;
  readonly result: string | null;
  readonly error: string | null;
}

/** A Python process that keeps its variables from one piece of code to the next. */
class PythonSession implements Disposable {
  readonly about: z.output<typeof helloSchema>;
  readonly #child: ChildProcess;
  readonly #requests: Writable;
  readonly #answers: AsyncIterator<string>;
  readonly #exited: Promise<void>;
  /** All output was read. */
  readonly #closed: Promise<void>;
  #output = new Transcript();
  #onOutput: () => void = () => undefined;

  private constructor(
    child: ChildProcess,
    answers: AsyncIterator<string>,
    about: z.output<typeof helloSchema>,
  ) {
    this.#child = child;
    this.#answers = answers;
    this.about = about;
    this.#requests = child.stdio[3] as Writable;
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
    this.#closed = new Promise((resolve) => child.once('close', () => resolve()));
    for (const stream of [child.stdout, child.stderr])
      stream?.setEncoding('utf8').on('data', (text: string) => {
        this.#output.add(text);
        this.#onOutput();
      });
  }

  /** Starts the interpreter that is chosen for the folder. Errors: `no-interpreter`. */
  static async start(folder: string, signal: AbortSignal): Promise<PythonSession> {
    const python = await findInterpreter(folder);
    const child = spawn(python, ['-u', '-c', pythonDriver], {
      cwd: folder,
      env: makeProgramEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe', 'pipe', 'pipe'],
      detached: true,
    });
    const failed = new Promise<never>((_resolve, reject) => {
      child.once('error', reject);
      child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    });
    failed.catch(() => undefined);
    child.stdio[3]?.on('error', () => undefined);
    const answers = createInterface({ input: child.stdio[4] as Readable })[Symbol.asyncIterator]();
    using limit = deadline('start of Python', interpreterStartMs, signal);
    try {
      const first = await raceSignal(Promise.race([answers.next(), failed]), limit.signal);
      return new PythonSession(child, answers, helloSchema.parse(JSON.parse(String(first.value))));
    } catch (cause) {
      child.kill('SIGKILL');
      signal.throwIfAborted();
      throw toolError('no-interpreter', `${python} could not be started`, {
        cause,
        help: 'Install Python 3, or make a .venv in the workspace',
      });
    }
  }

  get alive(): boolean {
    return this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /** Runs code; one piece at a time. */
  async run(code: string, ms: number, signal: AbortSignal): Promise<CellResult> {
    const mark = `\u0001${randomBytes(16).toString('hex')}\u0001`;
    this.#output = new Transcript();
    this.#requests.write(`${JSON.stringify({ code, mark })}\n`);
    const answered = this.#answers.next();
    const over = Promise.race([answered.then(({ done }) => done !== true), this.#exited.then(() => false)]);
    using limit = deadline('the code', ms, signal);
    let interrupted = false;
    let lives = await raceSignal(over, limit.signal).catch(() => undefined);
    if (lives === undefined) {
      interrupted = true;
      lives = await this.#interrupt(over);
    }
    if (!lives) {
      await this.#end();
      return { ...this.#cell(mark, null, null), status: interrupted ? 'timed-out' : 'died' };
    }
    await this.#untilMark(mark);
    const { result, error } = answerSchema.parse(JSON.parse(String((await answered).value)));
    signal.throwIfAborted();
    const status = interrupted ? 'timed-out' : error === null ? 'ok' : 'error';
    return { ...this.#cell(mark, result, error), status };
  }

  [Symbol.dispose](): void {
    if (this.alive) this.#kill('SIGKILL');
  }

  /** False if it had to be killed, or has ended. */
  async #interrupt(over: Promise<boolean>): Promise<boolean> {
    this.#kill('SIGINT');
    using limit = deadline('end of the code', interpreterInterruptMs);
    const lives = await raceSignal(over, limit.signal).catch(() => undefined);
    if (lives === undefined) this.#kill('SIGKILL');
    return lives ?? false;
  }

  /** Its answers can end before the process: this waits for its end, and for its last output. */
  async #end(): Promise<void> {
    this.#child.kill('SIGKILL');
    await this.#exited;
    using limit = deadline('end of the output', interpreterInterruptMs);
    // A program that the code has started may keep the pipes open.
    await raceSignal(this.#closed, limit.signal).catch(() => undefined);
  }

  /** Programs that the code has started receive the signal as well. */
  #kill(signal: NodeJS.Signals): void {
    signalGroup(this.#child.pid, signal);
  }

  async #untilMark(mark: string): Promise<void> {
    using limit = deadline('end of the output', interpreterInterruptMs);
    while (!this.#output.text.includes(mark)) {
      const more = new Promise<void>((resolve) => (this.#onOutput = resolve));
      if (
        await raceSignal(more, limit.signal).then(
          () => false,
          () => true,
        )
      )
        return;
    }
  }

  #cell(mark: string, result: string | null, error: string | null) {
    return { output: this.#output.text.replace(mark, ''), result, error };
  }
}

/** The environment that Python programs inherit: without variables for the IDE's own processes. */
export function makeProgramEnvironment(): NodeJS.ProcessEnv {
  const own = /^(?:VSCODE_|ELECTRON_|NODE_OPTIONS$|NODE_CHANNEL|NODE_EXEC_PATH$|MALLOC_ARENA_MAX$|PWP_)/;
  const entries = Object.entries(process.env).filter(([name]) => !own.test(name));
  return { ...Object.fromEntries(entries), PYTHONIOENCODING: 'utf-8', MPLBACKEND: 'agg' };
}

/**
 * The interpreter's side, passed to `python3 -c`. Reads one JSON object per line on descriptor 3 and answers on 4; output
 * goes to descriptors 1 and 2 as it comes, and ends with a mark from the request, which shows that it is complete.
 */
const pythonDriver = String.raw`
import ast, json, os, signal, sys, traceback
requests = os.fdopen(3, "r", encoding="utf-8")
answers = os.fdopen(4, "w", encoding="utf-8")
os.set_inheritable(3, False); os.set_inheritable(4, False)
sys.path.insert(0, os.getcwd())
sys.argv = [""]
try:
    from IPython.core.interactiveshell import InteractiveShell
    shell = InteractiveShell.instance(colors="NoColor")
except Exception:
    shell = None
scope = {"__name__": "__main__", "__builtins__": __builtins__}

def answer(**fields):
    answers.write(json.dumps(fields) + "\n"); answers.flush()

def plain(code):
    tree = ast.parse(code, "<cell>")
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "<cell>", "exec"), scope)
    if last is None: return None
    value = eval(compile(ast.Expression(last.value), "<cell>", "eval"), scope)
    if value is None: return None
    scope["_"] = value
    return repr(value)

def with_ipython(code):
    done = shell.run_cell(code, store_history=True, silent=False)
    done.raise_error()
    return None if done.result is None else repr(done.result)

def words(error):
    frames = traceback.extract_tb(error.__traceback__)
    inner = [one for one in frames if one.filename != "<string>"]
    text = "Traceback (most recent call last):\n" + "".join(traceback.format_list(inner)) if inner else ""
    return text + "".join(traceback.format_exception_only(type(error), error))

answer(engine="ipython" if shell else "python", version=sys.version.split()[0])
signal.signal(signal.SIGINT, signal.default_int_handler)
for line in requests:
    request = json.loads(line)
    result = error = None
    try:
        result = (with_ipython if shell else plain)(request["code"])
    except SystemExit as stop:
        error = "SystemExit: " + str(stop.code)
    except BaseException as raised:
        error = words(raised)
    try:
        sys.stdout.flush(); sys.stderr.flush()
    except Exception:
        pass
    os.write(1, request["mark"].encode())
    answer(result=result, error=error)
`;
