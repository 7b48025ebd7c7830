import type { AfterSuppressed, RecordedEffect } from '../../run/index.ts';
import {
  type AttemptRow,
  groupByAgent,
  groupByFamily,
  hasBegun,
  hasPassed,
  isScored,
  type RecordFigures,
} from './attempt-rows.ts';
import { type IdeFeature, ideFeatures } from './ide-features.ts';
import { type ActionKind, actionKinds } from './record-tallies.ts';
import { computeMean, computeShare, computeSum } from './statistics.ts';

/** The outcomes of an agent's actions, as shares of the tried actions, unless noted otherwise. */
export interface EffectRow {
  readonly agent: string;
  readonly actions: number;
  readonly byEffect: Readonly<Record<RecordedEffect, number | null>>;
  readonly staleMarks: number | null;
  readonly missedClicks: number | null;
  readonly skipped: number;
  readonly steps: number;
  /** A share of the steps of attempts whose agent has a screen; null without such attempts. */
  readonly repeatedStates: number | null;
  /** A share of the steps. */
  readonly settleCaps: number | null;
}

export function effectRows(rows: readonly AttemptRow[]): EffectRow[] {
  return groupByAgent(rows).map(([agent, own]) => {
    const figures = collectFigures(own);
    const total = (of: (one: RecordFigures) => number) => computeSum(figures.map(of));
    const actions = total(countActions);
    const share = (of: (one: RecordFigures) => number) => computeShare(total(of), actions);
    const ofEffect = (effect: RecordedEffect) => share(({ byEffect }) => byEffect[effect]);
    const steps = countSteps(figures);
    const withScreen = figures.filter(({ repeatedStates }) => repeatedStates !== null);
    return {
      ...{ agent, actions, steps, skipped: total(({ skipped }) => skipped) },
      byEffect: {
        confirmed: ofEffect('confirmed'),
        partial: ofEffect('partial'),
        'no-effect': ofEffect('no-effect'),
        unverifiable: ofEffect('unverifiable'),
        refused: ofEffect('refused'),
      },
      staleMarks: share(({ staleMarks }) => staleMarks),
      missedClicks: share(({ missedClicks }) => missedClicks),
      repeatedStates: computeShare(
        computeSum(withScreen.map(({ repeatedStates }) => repeatedStates ?? 0)),
        countSteps(withScreen),
      ),
      settleCaps: computeShare(
        total((one) => one.settleCaps),
        steps,
      ),
    };
  });
}

/** The means by which an agent acts at the tasks of one family, as shares of the tried actions. */
export interface KindRow {
  readonly agent: string;
  readonly family: string;
  readonly actions: number;
  readonly byKind: Readonly<Record<ActionKind, number | null>>;
}

export function kindRows(rows: readonly AttemptRow[]): KindRow[] {
  return groupByAgent(rows).flatMap(([agent, own]) =>
    groupByFamily(own).map(([family, ofFamily]) => {
      const figures = collectFigures(ofFamily);
      const ofKind = (kind: ActionKind) => computeSum(figures.map(({ byKind }) => byKind[kind]));
      const actions = computeSum(actionKinds.map(ofKind));
      const shareOf = (kind: ActionKind) => computeShare(ofKind(kind), actions);
      const [pixels, filesAndShell] = [shareOf('pixels'), shareOf('filesAndShell')];
      const [ideTools, unreadable] = [shareOf('ideTools'), shareOf('unreadable')];
      return { agent, family, actions, byKind: { pixels, filesAndShell, ideTools, unreadable } };
    }),
  );
}

/** The figures of attempts whose record could be read. */
export function collectFigures(rows: readonly AttemptRow[]): RecordFigures[] {
  return rows.flatMap(({ figures }) => figures ?? []);
}

function countSteps(figures: readonly RecordFigures[]): number {
  return computeSum(figures.map(({ steps }) => steps));
}

function countActions({ byEffect }: RecordFigures): number {
  return computeSum(Object.values(byEffect));
}

/** The parts of the IDE that an agent tried to use at the tasks of one family, as shares of its steps. */
interface FeatureRow {
  readonly agent: string;
  readonly family: string;
  readonly steps: number;
  readonly byFeature: Readonly<Record<IdeFeature, number | null>>;
}

export function featureRows(rows: readonly AttemptRow[]): FeatureRow[] {
  return groupByAgent(rows).flatMap(([agent, own]) =>
    groupByFamily(own).map(([family, ofFamily]) => {
      const figures = collectFigures(ofFamily);
      const steps = computeSum(figures.map((one) => one.steps));
      const shareOf = (feature: IdeFeature) =>
        computeShare(computeSum(figures.map((one) => one.byFeature[feature])), steps);
      const byFeature = Object.fromEntries(
        ideFeatures.map((feature) => [feature, shareOf(feature)]),
      ) as FeatureRow['byFeature'];
      return { agent, family, steps, byFeature };
    }),
  );
}

/** An agent's actions after an action that was silently skipped. */
export interface RecoveryRow {
  readonly agent: string;
  /** Attempts with such an action. */
  readonly attempts: number;
  /** The same action is in one of the three steps that followed. */
  readonly repeated: number;
  readonly other: number;
  /** No step followed. */
  readonly nothing: number;
  /** `repeated` among the attempts in which a step followed. */
  readonly repeatedShare: number | null;
  /** The share that passed, among those with a score. */
  readonly passed: number | null;
}

/** Agents with a suppressed action. */
export function recoveryRows(rows: readonly AttemptRow[]): RecoveryRow[] {
  return groupByAgent(rows.filter(({ suppressed }) => suppressed !== null)).map(([agent, own]) => {
    const followedBy = (then: AfterSuppressed) => own.filter(({ suppressed }) => suppressed === then).length;
    const [repeated, other] = [followedBy('repeated'), followedBy('other')];
    return {
      ...{ agent, attempts: own.length, repeated, other, nothing: followedBy('nothing') },
      repeatedShare: computeShare(repeated, repeated + other),
      passed: computeShare(own.filter(hasPassed).length, own.filter(isScored).length),
    };
  });
}

/** The parts of the time of an agent's attempts, as shares of all time except grading. */
export interface TimeRow {
  readonly agent: string;
  /** Attempts that began, and whose records could be read. */
  readonly attempts: number;
  /** Attempts that ended without a score before their first step. */
  readonly notBegun: number;
  /** Of an attempt, without grading. */
  readonly meanMs: number | null;
  readonly start: number | null;
  readonly model: number | null;
  readonly tools: number | null;
  /** Input, settling, looking. */
  readonly ide: number | null;
  /** Writing the record, the agent itself, retries. */
  readonly other: number | null;
}

export function timeRows(rows: readonly AttemptRow[]): TimeRow[] {
  return groupByAgent(rows).map(([agent, all]) => {
    const begun = all.filter(hasBegun);
    const own = begun.flatMap((row) => (row.figures ? [{ ...row, figures: row.figures }] : []));
    const totals = own.map(({ totalMs, gradeMs }) => Math.max(0, totalMs - (gradeMs ?? 0)));
    const total = computeSum(totals);
    const parts = {
      start: computeSum(own.map(({ startMs }) => startMs ?? 0)),
      model: computeSum(own.map(({ modelMs }) => modelMs)),
      tools: computeSum(own.map(({ figures }) => figures.toolsMs)),
      ide: computeSum(own.map(({ figures }) => figures.ideMs)),
    };
    const other = Math.max(0, total - computeSum(Object.values(parts)));
    return {
      ...{ agent, attempts: own.length, notBegun: all.length - begun.length, meanMs: computeMean(totals) },
      ...{ start: computeShare(parts.start, total), model: computeShare(parts.model, total) },
      ...{
        tools: computeShare(parts.tools, total),
        ide: computeShare(parts.ide, total),
        other: computeShare(other, total),
      },
    };
  });
}
