import type { RecordedEffect } from '../../record/index.ts';
import { share, sum } from '../numbers/index.ts';
import {
  actionKinds,
  byAgent,
  byFamily,
  type ActionKind,
  type AttemptRow,
  type RecordFigures,
} from '../rows/index.ts';

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
  return byAgent(rows).map(([agent, own]) => {
    const figures = figuresOf(own);
    const total = (of: (one: RecordFigures) => number) => sum(figures.map(of));
    const ofEffect = (effect: RecordedEffect) => total(({ byEffect }) => byEffect[effect]);
    const actions = total(actionsOf);
    const steps = stepsOf(figures);
    const withScreen = figures.filter(({ repeatedStates }) => repeatedStates !== null);
    return {
      ...{ agent, actions, steps, skipped: total(({ skipped }) => skipped) },
      byEffect: {
        confirmed: share(ofEffect('confirmed'), actions),
        partial: share(ofEffect('partial'), actions),
        'no-effect': share(ofEffect('no-effect'), actions),
        unverifiable: share(ofEffect('unverifiable'), actions),
        refused: share(ofEffect('refused'), actions),
      },
      staleMarks: share(
        total((one) => one.staleMarks),
        actions,
      ),
      missedClicks: share(
        total((one) => one.missedClicks),
        actions,
      ),
      repeatedStates: share(
        sum(withScreen.map(({ repeatedStates }) => repeatedStates ?? 0)),
        stepsOf(withScreen),
      ),
      settleCaps: share(
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
  return byAgent(rows).flatMap(([agent, own]) =>
    byFamily(own).map(([family, ofFamily]) => {
      const figures = figuresOf(ofFamily);
      const ofKind = (kind: ActionKind) => sum(figures.map(({ byKind }) => byKind[kind]));
      const actions = sum(actionKinds.map(ofKind));
      const [pixels, filesAndShell] = [
        share(ofKind('pixels'), actions),
        share(ofKind('filesAndShell'), actions),
      ];
      const [ideTools, unreadable] = [
        share(ofKind('ideTools'), actions),
        share(ofKind('unreadable'), actions),
      ];
      return { agent, family, actions, byKind: { pixels, filesAndShell, ideTools, unreadable } };
    }),
  );
}

/** The figures of attempts whose record could be read. */
export function figuresOf(rows: readonly AttemptRow[]): RecordFigures[] {
  return rows.flatMap(({ figures }) => figures ?? []);
}

function stepsOf(figures: readonly RecordFigures[]): number {
  return sum(figures.map(({ steps }) => steps));
}

function actionsOf({ byEffect }: RecordFigures): number {
  return sum(Object.values(byEffect));
}
