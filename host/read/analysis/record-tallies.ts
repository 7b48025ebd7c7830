import { type EventOf, recordedEffect, type RecordedEffect } from '../../run/index.ts';
import {
  classifyIteration,
  hasSucceeded,
  type IterationKind,
  iterationKinds,
  readCallFile,
  readEdit,
  type RecordedCall,
  type RecordedEdit,
} from './recorded-calls.ts';

/** The means of an action: mouse and keyboard; files and a shell, as the paper's APIs; the IDE's other tools. */
export const actionKinds = ['pixels', 'filesAndShell', 'ideTools', 'unreadable'] as const;
export type ActionKind = (typeof actionKinds)[number];

/** Actions of an episode by kind and effect. */
export interface ActionFigures {
  readonly byEffect: Readonly<Record<RecordedEffect, number>>;
  readonly byKind: Readonly<Record<ActionKind, number>>;
  /** Actions that were not tried, since another of the step was refused. They are in no other figure. */
  readonly skipped: number;
  readonly failedCalls: number;
  /** Refused, because the mark is of an older observation or its element is gone. */
  readonly staleMarks: number;
  /** Clicks whose target did not get the keyboard, a tick or the selection, or that hit nothing with a role. */
  readonly missedClicks: number;
}

export class ActionTally {
  readonly #byEffect = makeZeroCounts(recordedEffect.options);
  readonly #byKind = makeZeroCounts(actionKinds);
  #skipped = 0;
  #failedCalls = 0;
  #staleMarks = 0;
  #missedClicks = 0;

  add(calls: readonly RecordedCall[]): void {
    for (const call of calls)
      if (call.outcome) this.#tried(call, call.outcome);
      else this.#skipped += 1;
  }

  get figures(): ActionFigures {
    return {
      byEffect: { ...this.#byEffect },
      byKind: { ...this.#byKind },
      ...{ skipped: this.#skipped, failedCalls: this.#failedCalls },
      ...{ staleMarks: this.#staleMarks, missedClicks: this.#missedClicks },
    };
  }

  #tried(call: RecordedCall, outcome: NonNullable<RecordedCall['outcome']>): void {
    this.#byEffect[outcome.effect] += 1;
    this.#byKind[classifyAction(call, outcome.action.kind)] += 1;
    if (!hasSucceeded(call)) this.#failedCalls += 1;
    if (
      outcome.action.kind === 'mark' &&
      outcome.effect === 'refused' &&
      staleMarkText.test(outcome.evidence)
    )
      this.#staleMarks += 1;
    if (outcome.action.kind !== 'tool' && missedClickText.test(outcome.evidence)) this.#missedClicks += 1;
  }
}

/** Matches the message of the bridge, the only source for this. */
const staleMarkText = /^mark \d+(,.* is of an older observation|: )/s;
/** Matches the evidence of the judge of clicks. */
const missedClickText =
  /^(focus is not in \w+ "|it hit nothing that has a role|\w+ ".*" is still (not )?checked)/s;

function classifyAction({ tool }: RecordedCall, kind: string): ActionKind {
  if (kind === 'unreadable') return 'unreadable';
  if (kind !== 'tool') return 'pixels';
  const family = tool?.tool.family;
  return family === 'files' || shellTools.has(tool?.tool.name ?? '') ? 'filesAndShell' : 'ideTools';
}

const shellTools = new Set(['shell', 'run_terminal_cmd']);

/** The course of an episode from step to step. */
export interface CourseFigures {
  /**
   * Steps after which screen and marks were as after an earlier step, or at the start. Null for an agent without a
   * screen: one that is shown neither pictures nor marks or, if the record does not say what it is shown, one that used
   * neither mouse nor keyboard. Its actions may leave the screen unchanged without being a repetition.
   */
  readonly repeatedStates: number | null;
  /** Steps whose wait for the IDE was ended by its cap. */
  readonly settleCaps: number;
  /** Milliseconds in which tools acted: of steps in which only calls of tools were tried. */
  readonly toolsMs: number;
  /** Milliseconds of all else in steps: input, settling, looking. */
  readonly ideMs: number;
}

export class CourseTally {
  /** A record stores the same content once, so equal names mean equal screens. */
  readonly #seen = new Set<string>();
  #parts: readonly string[] | null = null;
  #usedInput = false;
  #repeatedStates = 0;
  #settleCaps = 0;
  #toolsMs = 0;
  #ideMs = 0;

  /** @param parts the parts of an observation that the agent is shown; undefined if they are not known */
  begin(parts: readonly string[] | undefined): void {
    this.#parts = parts ?? null;
  }

  see(observation: EventOf<'reset'>['observation']): void {
    this.#seen.add(readScreenState(observation));
  }

  add({ observation, settled, timing }: EventOf<'step'>, calls: readonly RecordedCall[]): void {
    if (this.#seen.has(readScreenState(observation))) this.#repeatedStates += 1;
    this.see(observation);
    if (settled.reason === 'cap') this.#settleCaps += 1;
    const tried = calls.filter(({ outcome }) => outcome !== null);
    if (tried.some(({ action }) => inputKinds.has(action.kind))) this.#usedInput = true;
    const isTools = tried.length > 0 && tried.every(({ action }) => action.kind === 'tool');
    const toolsMs = isTools ? Math.min(timing.actMs, timing.totalMs) : 0;
    this.#toolsMs += toolsMs;
    this.#ideMs += timing.totalMs - toolsMs;
  }

  get figures(): CourseFigures {
    return {
      ...{ repeatedStates: this.#hasScreen ? this.#repeatedStates : null, settleCaps: this.#settleCaps },
      ...{ toolsMs: this.#toolsMs, ideMs: this.#ideMs },
    };
  }

  get #hasScreen(): boolean {
    return this.#parts === null ? this.#usedInput : screenEffects.some((part) => this.#parts?.includes(part));
  }
}

const screenEffects = ['picture', 'marks-drawn', 'marks'];
const inputKinds: ReadonlySet<RecordedCall['action']['kind']> = new Set(['xdotool', 'mark', 'computer']);

function readScreenState({ screen, marks }: EventOf<'reset'>['observation']): string {
  return `${screen} ${marks}`;
}

/** The edits of an episode, and its iterations by their edits. */
export interface EditFigures {
  readonly iterations: Readonly<Record<IterationKind, number>>;
  readonly edits: number;
  readonly successfulEdits: number;
  /** The first edit that succeeded; null without one. */
  readonly firstEdit: FirstEdit | null;
  /** The most iterations in a row without a tried edit. */
  readonly longestExploration: number;
  /** The most failed edits in a row that were refused for a syntax error. */
  readonly syntaxErrorRun: number;
  /** Lines that the largest edit adds or removes, whichever is more, among those whose size is known. */
  readonly largestEdit: number;
  /** Edits of the file that was edited most often. */
  readonly mostEditsOfFile: number;
}

interface FirstEdit {
  readonly step: number;
  /** Milliseconds from the opening of the record until its step was over. */
  readonly ms: number;
}

export class EditTally {
  readonly #iterations = makeZeroCounts(iterationKinds);
  readonly #byFile = new Map<string, number>();
  readonly #syntaxErrors = new LongestRun();
  readonly #exploration = new LongestRun();
  #edits = 0;
  #successfulEdits = 0;
  #firstEdit: FirstEdit | null = null;
  #largestEdit = 0;

  add({ step, ms }: EventOf<'step'>, calls: readonly RecordedCall[]): void {
    const kind = classifyIteration(calls);
    this.#iterations[kind] += 1;
    this.#exploration.add(kind === 'exploration');
    if (kind === 'productive') this.#firstEdit ??= { step, ms };
    for (const call of calls) {
      const edit = readEdit(call);
      if (edit) this.#edit(edit, call);
    }
  }

  get figures(): EditFigures {
    return {
      iterations: { ...this.#iterations },
      ...{ edits: this.#edits, successfulEdits: this.#successfulEdits, firstEdit: this.#firstEdit },
      ...{ longestExploration: this.#exploration.longest, syntaxErrorRun: this.#syntaxErrors.longest },
      ...{
        largestEdit: this.#largestEdit,
        mostEditsOfFile: [...this.#byFile.values()].reduce((all, times) => Math.max(all, times), 0),
      },
    };
  }

  #edit({ file, success, linesAdded, linesRemoved }: RecordedEdit, { outcome }: RecordedCall): void {
    this.#edits += 1;
    if (success) this.#successfulEdits += 1;
    this.#largestEdit = Math.max(this.#largestEdit, linesAdded ?? 0, linesRemoved ?? 0);
    const words = `${outcome?.evidence ?? ''}\n${outcome?.output ?? ''}`;
    this.#syntaxErrors.add(!success && /syntax ?error/i.test(words));
    if (file !== null) this.#byFile.set(file, (this.#byFile.get(file) ?? 0) + 1);
  }
}

/** The length of the longest run of an event. */
class LongestRun {
  #now = 0;
  longest = 0;

  add(goesOn: boolean): void {
    this.#now = goesOn ? this.#now + 1 : 0;
    this.longest = Math.max(this.longest, this.#now);
  }
}

/** The files that an episode read by tools. Commands of a shell read, too, but are not counted, since they don't show it. */
export interface ReadFigures {
  /** Calls that read or search files. */
  readonly reads: number;
  /** Unique files that were read. */
  readonly filesRead: number;
  /** Files read before the first tried edit; null without one. */
  readonly filesReadBeforeEdit: number | null;
  /** Calls before the first tried edit; null without one. */
  readonly callsBeforeEdit: number | null;
  /** Whether some of them used mouse and keyboard: files that these showed are not counted. */
  readonly lookedBeforeEdit: boolean;
  /** How often the file that was read most often was read again. */
  readonly mostRereads: number;
  /** The number of files in the workspace, if a call has reported it. */
  readonly filesInWorkspace: number | null;
}

export class ReadTally {
  readonly #byFile = new Map<string, number>();
  #reads = 0;
  #calls = 0;
  #looked = false;
  #before: Pick<ReadFigures, 'filesReadBeforeEdit' | 'callsBeforeEdit' | 'lookedBeforeEdit'> | null = null;
  #filesInWorkspace: number | null = null;

  add(calls: readonly RecordedCall[]): void {
    for (const call of calls.filter(({ outcome }) => outcome !== null)) {
      if (readEdit(call)) this.#before ??= this.#untilNow();
      if (call.outcome?.action.kind !== 'tool') this.#looked = true;
      this.#calls += 1;
      if (isReadingCall(call)) this.#read(call);
    }
  }

  get figures(): ReadFigures {
    const none = { filesReadBeforeEdit: null, callsBeforeEdit: null, lookedBeforeEdit: false };
    const most = [...this.#byFile.values()].reduce((all, times) => Math.max(all, times), 1);
    return {
      ...{ reads: this.#reads, filesRead: this.#byFile.size, ...(this.#before ?? none) },
      ...{ mostRereads: most - 1, filesInWorkspace: this.#filesInWorkspace },
    };
  }

  #untilNow() {
    const filesReadBeforeEdit = this.#byFile.size;
    return { filesReadBeforeEdit, callsBeforeEdit: this.#calls, lookedBeforeEdit: this.#looked };
  }

  #read(call: RecordedCall): void {
    this.#reads += 1;
    const [name, file] = [call.tool?.tool.name, readCallFile(call)];
    if (name === 'repository_structure') {
      const files = /: (\d+) files? in /.exec(call.outcome?.output ?? '')?.[1];
      if (files !== undefined) this.#filesInWorkspace = Math.max(this.#filesInWorkspace ?? 0, Number(files));
    }
    if (name === 'read_file' && file !== null && hasSucceeded(call))
      this.#byFile.set(file, (this.#byFile.get(file) ?? 0) + 1);
  }
}

/** A call that reads files, or searches them. */
function isReadingCall({ tool }: RecordedCall): boolean {
  if (!tool?.tool.readOnly) return false;
  return tool.tool.family === 'files' || tool.tool.family === 'search';
}

/** A count of 0 for each key. */
export function makeZeroCounts<K extends string>(keys: readonly K[]): Record<K, number> {
  return Object.fromEntries(keys.map((key) => [key, 0])) as Record<K, number>;
}
