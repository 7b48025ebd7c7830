import {
  type AttemptRow,
  editingRows,
  effectRows,
  failureModeRows,
  featureRows,
  ideFeatures,
  kindRows,
  recoveryRows,
  runRows,
  timeRows,
  transitionRows,
} from '../analysis/index.ts';
import { makeColumns, type ReportTable, textColumns } from './report-table.ts';

export function effectTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'effects',
    title: 'Outcomes of actions',
    about:
      'Shares of the actions that were tried, by their effect; stale marks and missed clicks are among them. Skipped actions were not tried, and are in no share. Settle caps are a share of the steps; repeated states of those whose agent has a screen.',
    columns: [
      ...textColumns('agent'),
      ...makeColumns('count', 'actions'),
      ...makeColumns('share', 'confirmed', 'partial', 'no effect', 'unverifiable', 'refused'),
      ...makeColumns('share', 'stale marks', 'missed clicks'),
      ...makeColumns('count', 'skipped', 'steps'),
      ...makeColumns('share', 'repeated states', 'settle caps'),
    ],
    rows: effectRows(rows).map(({ byEffect, ...row }) => [
      ...[row.agent, row.actions, byEffect.confirmed, byEffect.partial, byEffect['no-effect']],
      ...[byEffect.unverifiable, byEffect.refused, row.staleMarks, row.missedClicks, row.skipped],
      ...[row.steps, row.repeatedStates, row.settleCaps],
    ]),
  };
}

export function kindTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'action-kinds',
    title: 'Pixels against tools',
    about: 'Shares of the actions that were tried, by the means they use.',
    columns: [
      ...textColumns('agent', 'family'),
      ...makeColumns('count', 'actions'),
      ...makeColumns('share', 'mouse and keyboard', 'files and shell', 'tools of the IDE', 'unreadable'),
    ],
    rows: kindRows(rows).map(({ agent, family, actions, byKind }) => [
      ...[agent, family, actions],
      ...[byKind.pixels, byKind.filesAndShell, byKind.ideTools, byKind.unreadable],
    ]),
  };
}

export function featureTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'features',
    title: 'Parts of the IDE',
    about:
      'Shares of the steps that tried to use a part, whether they succeeded or not: by tools, keys, typed text and the view that has the keyboard afterwards. A step may use several, or none.',
    columns: [
      ...textColumns('agent', 'family'),
      ...makeColumns('count', 'steps'),
      ...makeColumns('share', ...ideFeatures),
    ],
    rows: featureRows(rows).map(({ agent, family, steps, byFeature }) => [
      ...[agent, family, steps],
      ...ideFeatures.map((feature) => byFeature[feature]),
    ]),
  };
}

export function timeTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'times',
    title: 'Time',
    about:
      'Of a mean attempt that began, without its grading, and where it went; not begun: it ended without a score before its first step. IDE: input, settling, looking.',
    columns: [
      ...textColumns('agent'),
      ...makeColumns('count', 'attempts', 'not begun'),
      ...makeColumns('seconds', 'time'),
      ...makeColumns('share', 'start', 'model', 'tools', 'IDE', 'other'),
    ],
    rows: timeRows(rows).map((row) => [
      ...[row.agent, row.attempts, row.notBegun, row.meanMs === null ? null : row.meanMs / 1000],
      ...[row.start, row.model, row.tools, row.ide, row.other],
    ]),
  };
}

export function transitionTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'transitions',
    title: 'Transitions',
    about:
      'P(next | call), pooled over attempts: at least 1 %, among the five most frequent, or needed for 95 % of the calls that follow a call.',
    columns: [
      ...textColumns('agent', 'call', 'next'),
      ...makeColumns('count', 'times'),
      ...makeColumns('share', 'probability'),
    ],
    rows: transitionRows(rows).map((row) => [row.agent, row.from, row.to, row.times, row.probability]),
  };
}

export function runTable(rows: readonly AttemptRow[], length: 2 | 3): ReportTable {
  const name = length === 2 ? 'bigrams' : 'trigrams';
  return {
    id: name,
    title: length === 2 ? 'Bigrams' : 'Trigrams',
    about: `The ten most frequent runs of ${length === 2 ? 'two' : 'three'} calls of each agent.`,
    columns: [
      ...textColumns('agent', ...['first', 'second', 'third'].slice(0, length)),
      ...makeColumns('count', 'times'),
    ],
    rows: runRows(rows, length).map(({ agent, calls, times }) => [agent, ...calls, times]),
  };
}

export function editingTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'editing',
    title: 'Reading and editing',
    about:
      'Iterations are productive if an edit succeeded, non-productive if edits were tried and none did, else exploration. First edits are the first that succeeded, as means of the attempts that have one.',
    columns: [
      ...textColumns('agent'),
      ...makeColumns('count', 'iterations'),
      ...makeColumns('share', 'productive', 'non-productive', 'exploration'),
      ...makeColumns('count', 'edits'),
      ...makeColumns('share', 'edits that succeeded'),
      ...makeColumns('number', 'reads per edit'),
      ...makeColumns('count', 'attempts with an edit'),
      ...makeColumns('number', 'step of first edit'),
      ...makeColumns('seconds', 'time to first edit'),
      ...makeColumns('number', 'calls before first edit'),
    ],
    rows: editingRows(rows).map(({ byKind, ...row }) => [
      ...[row.agent, row.iterations, byKind.productive, byKind['non-productive'], byKind.exploration],
      ...[row.edits, row.successfulEdits, row.readsPerEdit, row.attemptsWithEdit],
      ...[row.firstEditStep, row.firstEditSeconds, row.callsBeforeEdit],
    ]),
  };
}

export function failureModeTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'failure-modes',
    title: 'Failure modes',
    about:
      "IDE-Bench's, by its rules: the share of an agent's failed attempts, among those whose record shows it. An attempt may have several.",
    columns: [
      ...textColumns('agent', 'mode'),
      ...makeColumns('count', 'times', 'failed attempts'),
      ...makeColumns('share', 'share'),
    ],
    rows: failureModeRows(rows)
      .flatMap(({ mode, agents }) => agents.map((one) => ({ mode, ...one })))
      .map(({ agent, mode, times, known, share }) => [agent, mode, times, known, share]),
  };
}

export function recoveryTable(rows: readonly AttemptRow[]): ReportTable {
  return {
    id: 'recovery',
    title: 'After a suppressed action',
    about:
      'Whether the same action is in one of the three steps that followed one that was silently suppressed. The share is of the attempts in which a step followed.',
    columns: [
      ...textColumns('agent'),
      ...makeColumns('count', 'attempts', 'repeated', 'other', 'nothing followed'),
      ...makeColumns('share', 'repeated share', 'passed'),
    ],
    rows: recoveryRows(rows).map((row) => [
      ...[row.agent, row.attempts, row.repeated, row.other, row.nothing],
      ...[row.repeatedShare, row.passed],
    ]),
  };
}
