import type { EventOf } from '../../record/index.ts';
import type { Call } from '../calls.ts';
import { editOf, type Edit } from '../edits.ts';
import { iterationKind, iterationKinds, type IterationKind } from '../iteration.ts';
import { zeros } from './zeros.ts';

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

export interface FirstEdit {
  readonly step: number;
  /** Milliseconds from the opening of the record until its step was over. */
  readonly ms: number;
}

export class EditTally {
  readonly #iterations = zeros(iterationKinds);
  readonly #byFile = new Map<string, number>();
  readonly #syntaxErrors = new Run();
  readonly #exploration = new Run();
  #edits = 0;
  #successfulEdits = 0;
  #firstEdit: FirstEdit | null = null;
  #largestEdit = 0;

  add({ step, ms }: EventOf<'step'>, calls: readonly Call[]): void {
    const kind = iterationKind(calls);
    this.#iterations[kind] += 1;
    this.#exploration.add(kind === 'exploration');
    if (kind === 'productive') this.#firstEdit ??= { step, ms };
    for (const call of calls) {
      const edit = editOf(call);
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

  #edit({ file, success, linesAdded, linesRemoved }: Edit, { outcome }: Call): void {
    this.#edits += 1;
    if (success) this.#successfulEdits += 1;
    this.#largestEdit = Math.max(this.#largestEdit, linesAdded ?? 0, linesRemoved ?? 0);
    const words = `${outcome?.evidence ?? ''}\n${outcome?.output ?? ''}`;
    this.#syntaxErrors.add(!success && /syntax ?error/i.test(words));
    if (file !== null) this.#byFile.set(file, (this.#byFile.get(file) ?? 0) + 1);
  }
}

/** The length of the longest run of an event. */
class Run {
  #now = 0;
  longest = 0;

  add(goesOn: boolean): void {
    this.#now = goesOn ? this.#now + 1 : 0;
    this.longest = Math.max(this.longest, this.#now);
  }
}
