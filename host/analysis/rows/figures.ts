import type { Ending, EventOf, RecordEvent } from '../../record/index.ts';
import { callsOf } from '../calls.ts';
import { ActionTally, type ActionFigures } from './actions-tally.ts';
import { CourseTally, type CourseFigures } from './course-tally.ts';
import { EditTally, type EditFigures } from './edit-tally.ts';
import { FeatureTally, type FeatureFigures } from './feature-tally.ts';
import type { Names } from './names.ts';
import { ReadTally, type ReadFigures } from './read-tally.ts';

/** The figures of one episode, from its events. */
export interface RecordFigures
  extends ActionFigures, CourseFigures, EditFigures, FeatureFigures, ReadFigures {
  /** How it ended; null if the record has no end. */
  readonly how: Ending | null;
  readonly steps: number;
  /** Names of all calls that were tried, in order, as the agent calls them. */
  readonly calls: readonly string[];
  /** The grader's checks, null for one that could not be measured; empty without a score. */
  readonly tests: readonly { readonly name: string; readonly passed: boolean | null }[];
}

/** Adds up the events of one record, one by one. */
export class RecordTally {
  readonly #names: Names;
  readonly #actions = new ActionTally();
  readonly #course = new CourseTally();
  readonly #edits = new EditTally();
  readonly #features = new FeatureTally();
  readonly #reads = new ReadTally();
  readonly #calls: string[] = [];
  #steps = 0;
  #how: Ending | null = null;
  #tests: RecordFigures['tests'] = [];
  /** @param names shared by all records that are read together */
  constructor(names: Names) {
    this.#names = names;
  }

  add(event: RecordEvent): void {
    if (event.event === 'start') this.#course.begin(event.agent.parts);
    if (event.event === 'reset' || event.event === 'restore') this.#course.see(event.observation);
    if (event.event === 'step') this.#step(event);
    if (event.event === 'grade')
      this.#tests = event.checks.map(({ name, passed }) => ({ name: this.#names.one(name), passed }));
    if (event.event === 'end') this.#how = event.how;
  }

  get figures(): RecordFigures {
    return {
      ...{ how: this.#how, steps: this.#steps, calls: this.#calls, tests: this.#tests },
      ...this.#actions.figures,
      ...this.#course.figures,
      ...this.#edits.figures,
      ...this.#features.figures,
      ...this.#reads.figures,
    };
  }

  #step(step: EventOf<'step'>): void {
    const calls = callsOf(step);
    this.#steps += 1;
    this.#actions.add(calls);
    this.#course.add(step, calls);
    this.#edits.add(step, calls);
    this.#features.add(step, calls);
    this.#reads.add(calls);
    for (const { name, outcome } of calls) if (outcome) this.#calls.push(this.#names.one(name));
  }
}
