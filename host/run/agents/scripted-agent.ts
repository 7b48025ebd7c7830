import type { Action, Observation } from '../../ide/index.ts';
import { readSolutionSteps, readWrittenCalls, type Solution } from '../../tasks/index.ts';
import type { Agent, Decision } from './agent.ts';

/** Does nothing: the floor of every task. */
export function nullAgent(): Agent {
  return { name: 'null', isScript: true, decide: () => Promise.resolve(null) };
}

/**
 * Plays a written solution: a shell script as one tool call, xdotool lines and tool calls as one step each. Used for a
 * task's own solutions, which must pass, and its false solutions, which must fail.
 */
export function scriptAgent(name: string, solution: Solution): Agent {
  const decisions = planDecisions(solution);
  return {
    name,
    isScript: true,
    decide: ({ observation: { marks } }) => Promise.resolve(decisions.shift()?.(marks) ?? null),
  };
}

/** Its actions, given the marks that it sees. */
type PlannedDecision = (marks: Observation['marks']) => Decision;

function planDecisions(solution: Solution): PlannedDecision[] {
  const { kind, name, text } = solution;
  switch (kind) {
    case 'shell':
      return [
        () => ({ message: name, actions: [{ kind: 'tool', name: 'shell', arguments: { command: text } }] }),
      ];
    case 'xdotool':
      return readSolutionSteps(text).map((line) => (marks) => ({ actions: [numberMarks(line, marks)] }));
    case 'tools':
      return readWrittenCalls(solution).map((call) => () => ({ actions: [{ kind: 'tool', ...call }] }));
  }
}

/** As in `click [button "Save"]`: role and name, where agents write a number. */
const namedMarkPattern = /\[([a-z]+) ("(?:[^"\\]|\\.)*")\]/g;
const markVerbs = /^(?:click|double_click|triple_click|right_click|middle_click|hover|drag|scroll|type)\b/;

type MarkName = Pick<Observation['marks'][number], 'role' | 'name'>;

/** A mark in a line of a solution, which is right in every window size. */
export function writeMarkName({ role, name }: MarkName): string {
  return `[${role} ${JSON.stringify(name)}]`;
}

/** A line of a solution with the numbers of the marks that it names. Refused unless exactly one mark has the name. */
export function numberMarks(line: string, marks: Observation['marks']): string | Action {
  if (!markVerbs.test(line)) return line;
  let why: string | undefined;
  const numbered = line.replaceAll(namedMarkPattern, (whole, role: string, written: string) => {
    const name = JSON.parse(written) as string;
    const found = marks.filter((mark) => mark.role === role && mark.name === name);
    const [only] = found;
    if (only && found.length === 1) return `[${only.id}]`;
    why ??= `${found.length === 0 ? 'no mark is' : `${found.length} marks are`} a ${whole}`;
    return whole;
  });
  return why === undefined ? numbered : { kind: 'unreadable', line, why };
}
