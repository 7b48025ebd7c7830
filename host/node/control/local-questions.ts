import { randomUUID } from 'node:crypto';
import * as z from 'zod';
import { type Cancellable, deadline, neverAborted, poll, PwpError } from '../../../bridge/lib/index.ts';
import { askedQuestion, personAnswer } from '../../../bridge/protocol/index.ts';
import { isProcessAlive, type ProcessIdentity } from '../../lib/index.ts';
import type { AskedQuestion, OpenQuestions, PersonAnswer, Questions } from '../lease.ts';
import { readClock, requireValid, SharedFile } from '../shared-state.ts';

const questionLookMs = 100;
/** Number of looks between two checks whether the askers still exist. */
const looksPerCheck = 10;
const mostQuestions = 20;

const storedQuestion = z.object({
  asked: askedQuestion,
  id: z.string(),
  at: z.iso.datetime(),
  untilMs: z.number().nonnegative(),
  process: z.object({ pid: z.int().positive(), startTime: z.string() }),
  answer: personAnswer.nullable(),
});
type StoredQuestion = z.output<typeof storedQuestion>;

const storedQuestions = z.object({
  revision: z.int().nonnegative(),
  questions: z.array(storedQuestion).readonly(),
});
type StoredQuestions = z.output<typeof storedQuestions>;

const noQuestions: StoredQuestions = { revision: 0, questions: [] };

/** The questions of a sandbox on this machine. Disposing it takes those back that were asked through it. */
export class LocalQuestions implements Questions, Disposable {
  readonly #file: SharedFile<StoredQuestions>;
  readonly #process: () => Promise<ProcessIdentity>;
  readonly #ending = new AbortController();

  /** @param process this process, with whose end its questions end */
  constructor(path: string, process: () => Promise<ProcessIdentity>) {
    this.#file = new SharedFile(path, storedQuestions, noQuestions);
    this.#process = process;
  }

  async open({ signal = neverAborted }: Cancellable = {}): Promise<OpenQuestions> {
    const { revision, questions } = await this.#current(signal);
    const open = questions.filter((one) => one.answer === null);
    return { revision, questions: open.map(({ id, at, asked: question }) => ({ id, at, ...question })) };
  }

  changed(revision: number, { signal = neverAborted }: Cancellable = {}): Promise<OpenQuestions> {
    let looks = 0;
    const probe = async () => {
      if (this.#file.read().revision === revision && (looks += 1) % looksPerCheck !== 0)
        return { done: false, saw: 'no change' } as const;
      const value = await this.open({ signal });
      return value.revision === revision
        ? ({ done: false, saw: 'no change' } as const)
        : ({ done: true, value } as const);
    };
    return poll('a change of the questions', probe, {
      intervalMs: questionLookMs,
      signal: this.#until(signal),
    });
  }

  async ask(
    question: AskedQuestion,
    { timeoutMs, signal = neverAborted }: { readonly timeoutMs: number } & Cancellable,
  ): Promise<PersonAnswer> {
    const { ms, iso: at } = readClock();
    const entry: StoredQuestion = {
      asked: requireValid('question', askedQuestion, question),
      ...{ id: randomUUID(), at, untilMs: ms + timeoutMs, process: await this.#process(), answer: null },
    };
    await this.#current(signal);
    await this.#file.update(signal, (old) => appendQuestion(old, entry));
    try {
      using limit = deadline(`the answer of a person`, timeoutMs, this.#until(signal));
      const probe = () => {
        const value = this.#file.read().questions.find(({ id }) => id === entry.id)?.answer;
        return value ? ({ done: true, value } as const) : ({ done: false, saw: 'no answer' } as const);
      };
      return await poll('the answer of a person', probe, {
        intervalMs: questionLookMs,
        signal: limit.signal,
      });
    } finally {
      // Not the caller's signal: it may be what ends the wait.
      await this.#file
        .update(neverAborted, (old) => dropQuestions(old, new Set([entry.id])))
        .catch(() => undefined);
    }
  }

  async answer(id: string, given: PersonAnswer, { signal = neverAborted }: Cancellable = {}): Promise<void> {
    const value = requireValid('answer', personAnswer, given);
    await this.#current(signal);
    await this.#file.update(signal, (old) => {
      const found = old.questions.find((one) => one.id === id && one.answer === null);
      if (!found)
        throw new PwpError('no-such-question', 'this question has been answered, or is over', {
          help: 'See which ones are open.',
        });
      const questions = old.questions.map((one) => (one === found ? { ...one, answer: value } : one));
      return { revision: old.revision + 1, questions };
    });
  }

  [Symbol.dispose](): void {
    this.#ending.abort(new PwpError('sandbox-stopped', 'the sandbox is stopped or given up'));
  }

  /** The record, without the questions of processes that have ended and those whose time is over. */
  async #current(signal: AbortSignal): Promise<StoredQuestions> {
    const known = this.#file.read();
    const over = new Set<string>();
    for (const { id, untilMs, process } of known.questions)
      if (untilMs < readClock().ms || !(await isProcessAlive(process))) over.add(id);
    return over.size === 0 ? known : this.#file.update(signal, (old) => dropQuestions(old, over));
  }

  #until(signal: AbortSignal): AbortSignal {
    return AbortSignal.any([signal, this.#ending.signal]);
  }
}

function appendQuestion({ revision, questions }: StoredQuestions, entry: StoredQuestion): StoredQuestions {
  if (questions.length >= mostQuestions)
    throw new PwpError('too-many-questions', `${mostQuestions} questions wait for an answer already`, {
      help: 'Wait for the answers.',
    });
  return { revision: revision + 1, questions: [...questions, entry] };
}

function dropQuestions(old: StoredQuestions, ids: ReadonlySet<string>): StoredQuestions {
  const questions = old.questions.filter(({ id }) => !ids.has(id));
  return questions.length === old.questions.length ? old : { revision: old.revision + 1, questions };
}
