import type { Observation } from '../env/index.ts';
import { stepsOf, toolCallsOf, type Solution } from '../tasks/index.ts';
import type { Agent, Decision } from './agent.ts';
import { numberedLine } from './named-mark.ts';

/** Does nothing: the floor of every task. */
export function nullAgent(): Agent {
  return { name: 'null', decide: () => Promise.resolve(null) };
}

/**
 * Plays a written solution: a shell script as one tool call, xdotool lines and tool calls as one step each. Used for a
 * task's own solutions, which must pass, and its false solutions, which must fail.
 */
export function scriptAgent(name: string, solution: Solution): Agent {
  const decisions = decisionsOf(solution);
  return {
    name,
    decide: ({ observation: { marks } }) => Promise.resolve(decisions.shift()?.(marks) ?? null),
  };
}

/** Its actions, given the marks that it sees. */
type Planned = (marks: Observation['marks']) => Decision;

function decisionsOf(solution: Solution): Planned[] {
  const { kind, name, text } = solution;
  switch (kind) {
    case 'shell':
      return [
        () => ({ message: name, actions: [{ kind: 'tool', name: 'shell', arguments: { command: text } }] }),
      ];
    case 'xdotool':
      return stepsOf(text).map((line) => (marks) => ({ actions: [numberedLine(line, marks)] }));
    case 'tools':
      return toolCallsOf(solution).map((call) => () => ({ actions: [{ kind: 'tool', ...call }] }));
  }
}
