import { type Cancellable, neverAborted, PwpError } from '../../../bridge/lib/index.ts';
import type { PersonAnswer, Sandbox } from '../../node/index.ts';
import type { Action, PersonQuestion, TriedAction } from '../actions/index.ts';

/** Agents have no names yet: people can tell which one asks by the sandbox it runs in. */
const askingAgent = { kind: 'agent', id: 'agent', name: 'Agent' } as const;
const defaultSeconds = 600;

/** Asks the people beside the agent and waits for the answer, which is the action's output. */
export async function performQuestion(
  sandbox: Sandbox,
  action: Action,
  question: PersonQuestion,
  signal: AbortSignal,
): Promise<TriedAction> {
  try {
    return {
      kind: 'answered',
      action,
      ...formatPersonAnswer(await askPeople(sandbox, question, { signal })),
    };
  } catch (error) {
    signal.throwIfAborted();
    const isOutcome = error instanceof PwpError && ['timeout', 'too-many-questions'].includes(error.code);
    if (!isOutcome) throw error;
    return { kind: 'refused', action, why: error.message };
  }
}

/** Asks and waits for the answer. Errors: `timeout`, `too-many-questions`. */
export async function askPeople(
  sandbox: Sandbox,
  { text, wants = 'answer', choices, timeout = defaultSeconds }: PersonQuestion,
  { signal = neverAborted }: Cancellable = {},
): Promise<PersonAnswer> {
  const question = { from: askingAgent, wants, text, choices };
  try {
    return await sandbox.questions.ask(question, { timeoutMs: timeout * 1000, signal });
  } catch (cause) {
    if (signal.aborted || !(cause instanceof PwpError) || cause.code !== 'timeout') throw cause;
    throw new PwpError('timeout', `no one answered within ${timeout} s`, { cause });
  }
}

/** The answer as one line, and in the person's words. */
export function formatPersonAnswer({ by, how, text }: PersonAnswer): { answer: string; output: string } {
  const words = { answered: 'answered', done: 'has done it', declined: 'does not want to' }[how];
  const answer = `${by.name} ${words}`;
  return { answer, output: text === '' ? answer : text };
}
