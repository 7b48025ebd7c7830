import type { Cancellable } from '../../bridge/lib/index.ts';
import type { Actor, Person } from './lease.ts';

/**
 * Questions of agents to the people who watch a sandbox. Kept beside the sandbox, outside the wall, for every process
 * that drives it.
 */
export interface Questions {
  /** Those without an answer, the oldest first. */
  open(options?: Cancellable): Promise<OpenQuestions>;
  /** Resolves when the revision differs from `revision`; it may be a moment late. */
  changed(revision: number, options?: Cancellable): Promise<OpenQuestions>;
  /**
   * Asks and waits for the answer. The question goes when the answer is there, the time is over, the signal is aborted or
   * this process ends. Errors: `timeout`, `too-many-questions` beyond 20.
   */
  ask(question: AskedQuestion, options: { readonly timeoutMs: number } & Cancellable): Promise<PersonAnswer>;
  /** Answers a question. Errors: `no-such-question`. */
  answer(id: string, answer: PersonAnswer, options?: Cancellable): Promise<void>;
}

export interface AskedQuestion {
  readonly from: Actor;
  /** `answer`: asks for an answer in words. `hands`: asks a person to do something by hand. */
  readonly wants: 'answer' | 'hands';
  /** 1 to 4,000 characters. */
  readonly text: string;
  /** Answers to choose from, at most 10 of 200 characters; a person may always write another. Default: none. */
  readonly choices?: readonly string[] | undefined;
}

export interface OpenQuestion extends AskedQuestion {
  readonly id: string;
  /** ISO 8601. */
  readonly at: string;
}

export interface OpenQuestions {
  /** Changes with every change of the questions. 0 if none was ever asked. */
  readonly revision: number;
  readonly questions: readonly OpenQuestion[];
}

export interface PersonAnswer {
  readonly by: Person;
  /** `declined`: the person does not want to answer or to do it. */
  readonly how: 'answered' | 'done' | 'declined';
  /** At most 10,000 characters; may be empty. */
  readonly text: string;
}
