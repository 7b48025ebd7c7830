import type { AfterSuppressed, EpisodeEnding, EventOf, RecordEvent } from '../../run/index.ts';
import { type FeatureFigures, FeatureTally } from './ide-features.ts';
import {
  type ActionFigures,
  ActionTally,
  type CourseFigures,
  CourseTally,
  type EditFigures,
  EditTally,
  type ReadFigures,
  ReadTally,
} from './record-tallies.ts';
import { listCalls } from './recorded-calls.ts';

/** One finished attempt. Tables are made only of these rows. */
export interface AttemptRow {
  /** Name of the study's folder. */
  readonly study: string;
  /** Its name in tables. */
  readonly agent: string;
  readonly model: string | null;
  /** The folder that contains the task's folder. */
  readonly family: string;
  readonly task: string;
  /** Number of the attempt, from 1. */
  readonly attempt: number;
  /** As in `attempt.json`, e.g. `scored`, `limit`, `infrastructure`. */
  readonly end: string;
  readonly limit: string | null;
  /** 0 to 1; null without a score. */
  readonly reward: number | null;
  /** False if the sandbox was not whole; null without a score. */
  readonly trustworthy: boolean | null;
  /** Why the agent's code could have forged a pass; null if the tests don't run it beside them. */
  readonly trust: string | null;
  readonly suppressed: AfterSuppressed | null;
  readonly steps: number;
  /** Maximum steps of the attempt; null if the study does not say. */
  readonly maxSteps: number | null;
  readonly tries: number;
  readonly promptTokens: number | null;
  readonly completionTokens: number | null;
  readonly cachedTokens: number | null;
  /** Of the try that counts. */
  readonly costUsd: number | null;
  /** Of all tries, including repeated ones; null if one is not known. */
  readonly allTriesUsd: number | null;
  readonly totalMs: number;
  readonly startMs: number | null;
  readonly modelMs: number;
  readonly stepsMs: number;
  readonly gradeMs: number | null;
  /** From the record of the try that counts; null if it can't be read. */
  readonly figures: RecordFigures | null;
}

/** Whether it has a score. Without one, the machine, the provider or the grader failed, not the agent. */
export function isScored({ reward }: Pick<AttemptRow, 'reward'>): boolean {
  return reward !== null;
}

/**
 * Whether its agent began: it took a step, or its attempt has a score. Attempts that failed before that, because of the
 * machine or the provider, are in no mean of steps, tokens, cost or time.
 */
export function hasBegun({ reward, steps }: Pick<AttemptRow, 'reward' | 'steps'>): boolean {
  return reward !== null || steps > 0;
}

/** A full reward that can be trusted. */
export function hasPassed({ reward, trustworthy }: Pick<AttemptRow, 'reward' | 'trustworthy'>): boolean {
  return reward !== null && reward >= 1 && trustworthy === true;
}

/** The share of its measured tests that passed; without measured tests, its reward. Null without a score. */
export function computeTestRate({ reward, figures }: AttemptRow): number | null {
  if (reward === null) return null;
  const tests = (figures?.tests ?? []).filter(({ passed }) => passed !== null);
  return tests.length === 0 ? reward : tests.filter(({ passed }) => passed).length / tests.length;
}

/** Rows by their agents, in the order in which agents appear. */
export function groupByAgent(rows: readonly AttemptRow[]): [string, AttemptRow[]][] {
  return [...Map.groupBy(rows, ({ agent }) => agent)];
}

/** Rows by their tasks, by name. */
export function groupByTask(rows: readonly AttemptRow[]): [string, AttemptRow[]][] {
  return sortGroups(Map.groupBy(rows, ({ task }) => task));
}

/** Rows by their families, by name. */
export function groupByFamily(rows: readonly AttemptRow[]): [string, AttemptRow[]][] {
  return sortGroups(Map.groupBy(rows, ({ family }) => family));
}

function sortGroups(groups: Map<string, AttemptRow[]>): [string, AttemptRow[]][] {
  return [...groups].toSorted(([one], [other]) => (one < other ? -1 : 1));
}

/** The figures of one episode, from its events. */
export interface RecordFigures
  extends ActionFigures, CourseFigures, EditFigures, FeatureFigures, ReadFigures {
  /** How it ended; null if the record has no end. */
  readonly how: EpisodeEnding | null;
  readonly steps: number;
  /** Names of all calls that were tried, in order, as the agent calls them. */
  readonly calls: readonly string[];
  /** The grader's checks, null for one that could not be measured; empty without a score. */
  readonly tests: readonly { readonly name: string; readonly passed: boolean | null }[];
}

/** Adds up the events of one record, one by one. */
export class RecordTally {
  readonly #names: NamePool;
  readonly #actions = new ActionTally();
  readonly #course = new CourseTally();
  readonly #edits = new EditTally();
  readonly #features = new FeatureTally();
  readonly #reads = new ReadTally();
  readonly #calls: string[] = [];
  #steps = 0;
  #how: EpisodeEnding | null = null;
  #tests: RecordFigures['tests'] = [];
  /** @param names shared by all records that are read together */
  constructor(names: NamePool) {
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
    const calls = listCalls(step);
    this.#steps += 1;
    this.#actions.add(calls);
    this.#course.add(step, calls);
    this.#edits.add(step, calls);
    this.#features.add(step, calls);
    this.#reads.add(calls);
    for (const { name, outcome } of calls) if (outcome) this.#calls.push(this.#names.one(name));
  }
}

/** Keeps equal names only once in memory. */
export class NamePool {
  readonly #known = new Map<string, string>();

  one(name: string): string {
    const known = this.#known.get(name);
    if (known !== undefined) return known;
    if (this.#known.size < mostPooledNames) this.#known.set(name, name);
    return name;
  }
}

/** The maximum number of different names. A study has some thousands, unless an agent makes them up. */
const mostPooledNames = 100_000;
