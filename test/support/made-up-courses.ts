import type { EpisodeEnding, RecordedAction, RecordedOutcome } from '../../host/run/index.ts';

export const agents = ['ace', 'mid', 'dud'] as const;
export type MadeUpAgent = (typeof agents)[number];

/** One attempt of the made-up study. */
export interface MadeUpAttempt {
  readonly agent: MadeUpAgent;
  readonly family: string;
  /** 0 to 9. */
  readonly task: number;
  readonly number: number;
}

/** What an agent does in one attempt. */
export interface Course {
  readonly steps: readonly Step[];
  /** Default: depends on whether it passes. */
  readonly how?: EpisodeEnding;
}

export interface Step {
  readonly outcome: RecordedOutcome;
  readonly skipped?: readonly RecordedAction[];
  /** The same number is the same screen; 0 is the screen at the start. */
  readonly screen: number;
  readonly isCapped?: true;
}

export function coursesOf(attempt: MadeUpAttempt): Course {
  if (attempt.agent === 'ace') return planted(attempt) ?? ofTools(usual);
  return attempt.agent === 'mid' ? ofPixels(attempt) : ofDud;
}

const read = (path: string) => tool('read_file', { path });
const edit = (path: string) => tool('search_replace', { path, old_string: 'a', new_string: 'b' });
const shell = tool('shell', { command: 'ls' });
const threeReads = [read('a.py'), read('b.py'), read('c.py')];
const usual = [...threeReads, edit('a.py'), shell];

/** Eleven failed attempts of ace, each with one of IDE-Bench's modes: five at alpha/t8, five at beta/t8, one at gamma/t8. */
function planted({ family, task, number }: MadeUpAttempt): Course | undefined {
  const first = new Map([
    ['alpha', 0],
    ['beta', 5],
    ['gamma', 10],
  ]).get(family);
  return task === 8 && first !== undefined ? modes[first + number - 1] : undefined;
}

const modes: readonly Course[] = [
  // Premature editing
  ofTools([read('a.py'), read('b.py'), edit('a.py'), shell]),
  // Syntax error loop
  ofTools([
    ...threeReads,
    ...times(3, failed(edit('x.py'), 'SyntaxError: invalid syntax (line 3)')),
    ...['a.py', 'b.py', 'c.py', 'd.py'].map(edit),
    shell,
  ]),
  // Wrong file targeting: two of three edits failed, three of twenty files were read
  ofTools([
    structure(20),
    ...threeReads,
    failed(edit('a.py'), 'the text does not occur'),
    failed(edit('b.py'), 'the text does not occur'),
    edit('a.py'),
  ]),
  // Infinite exploration
  ofTools([...threeReads, ...times(13, shell), edit('a.py'), shell]),
  // Large risky edits
  ofTools([...threeReads, tool('write_file', { path: 'a.py', content: 'x\n'.repeat(51) }), shell]),
  // Iteration exhaustion
  { ...ofTools(usual), how: 'step-limit' },
  // No successful edits: three of four files were read
  ofTools([structure(4), ...threeReads, failed(edit('a.py'), 'the text does not occur')]),
  // Tool call failures
  ofTools([...threeReads, edit('a.py'), ...times(5, failed(shell, 'there is no terminal'))]),
  // Thrashing
  ofTools([...threeReads, ...times(5, edit('a.py')), shell]),
  // Context loss
  ofTools([...times(7, read('a.py')), read('b.py'), read('c.py'), edit('a.py'), shell]),
  // Test misinterpretation
  { ...ofTools(usual), how: 'finished' },
];

/** Each has its own screen. */
function ofTools(outcomes: readonly RecordedOutcome[]): Course {
  return { steps: outcomes.map((outcome, i) => ({ outcome, screen: i + 1 })) };
}

function structure(files: number): RecordedOutcome {
  return { ...tool('repository_structure', {}), output: `.: ${files} files in 2 folders (.py ${files})` };
}

function tool(name: string, given: Record<string, unknown>): RecordedOutcome {
  return {
    action: { kind: 'tool', name, arguments: given },
    effect: 'confirmed',
    evidence: 'the tool answered',
  };
}

function failed(outcome: RecordedOutcome, evidence: string): RecordedOutcome {
  return { ...outcome, effect: 'refused', evidence };
}

function times<T>(count: number, one: T): T[] {
  return Array.from({ length: count }, () => one);
}

const opened = input('xdotool mousemove 10 10 click 1', 'confirmed', 'the explorer is open');
const missed: RecordedOutcome = {
  action: { kind: 'mark', verb: 'click', mark: 4 },
  ...{ effect: 'unverifiable', evidence: 'focus is not in textbox "a.py, Editor"' },
};
const typed: RecordedOutcome = {
  ...input("xdotool type 'x'", 'confirmed', 'editor 1:1: the character landed'),
  typed: {
    where: 'editor',
    name: 'file:///workspace/a.py',
    line: 1,
    column: 1,
    replaced: '',
    differences: [],
  },
};
const saved = input('xdotool key ctrl+s', 'no-effect', 'nothing changed');

/** Four steps, of which the last changes nothing. At gamma/t9 the first action is suppressed. */
function ofPixels({ family, task, number }: MadeUpAttempt): Course {
  const isSuppressed = family === 'gamma' && task === 9;
  const first = isSuppressed ? { ...opened, suppressed: true as const } : opened;
  if (isSuppressed && number === 5) return { steps: [{ outcome: first, screen: 1 }] };
  const again = input('xdotool mousemove 10 10 click 1', 'unverifiable', 'only the screen changed');
  const second = isSuppressed && number <= 2 ? again : missed;
  return {
    steps: [
      { outcome: first, screen: 1 },
      { outcome: second, screen: 2 },
      { outcome: typed, screen: 3 },
      { outcome: saved, screen: 3 },
    ],
  };
}

/** A stale mark before an edit, which is not tried; then a key with a partial effect, on an unchanged screen. */
const ofDud: Course = {
  steps: [
    {
      outcome: {
        action: { kind: 'mark', verb: 'click', mark: 3 },
        effect: 'refused',
        evidence: 'mark 3, button "Run", is of an older observation; the newest is 7',
      },
      skipped: [edit('a.py').action],
      screen: 0,
    },
    { outcome: input('xdotool key F1', 'partial', 'a part was seen'), screen: 0, isCapped: true },
  ],
};

function input(line: string, effect: RecordedOutcome['effect'], evidence: string): RecordedOutcome {
  return { action: { kind: 'xdotool', line }, effect, evidence };
}
