import { actionText, effectText } from '../env/index.ts';
import { callOf, type RecordedOutcome } from './actions.ts';
import { ATIF_VERSION, type AtifObservationResult, type AtifStep, type AtifToolCall } from './atif.ts';
import type { ContentPart, Trajectory } from './atif.ts';
import type { EventOf } from './events.ts';
import { turnsOf } from './history.ts';
import type { EpisodeHistory } from './read.ts';
import { toolDefinitions } from './tool-definitions.ts';

type Unnumbered = Omit<AtifStep, 'step_id'>;

/** An episode as an ATIF document: the instruction with the first screen, then one agent step per step. */
export function trajectoryOf(history: EpisodeHistory): Trajectory {
  const { start, result } = history;
  const { name, version, model } = start.agent;
  const course = [
    ...system(history),
    opening(history),
    ...courseOf(history, model),
    ...closing(history, model),
  ];
  const steps = course.map((step, index) => ({ step_id: index + 1, ...step }));
  return {
    schema_version: ATIF_VERSION,
    session_id: start.session,
    agent: { name, version, model_name: model, tool_definitions: toolDefinitions(history) },
    steps,
    final_metrics: {
      ...totals(history),
      total_steps: steps.length,
      extra: { reward: result.reward, checks: result.checks },
    },
    extra: {
      task: start.task,
      ended: result.ended,
      durations: result.durations,
      versions: start.versions,
      forked_from: start.forkedFrom,
    },
  };
}

/** The events in the order of time, with branches one after the other, since the format has no branches. */
function courseOf({ course }: EpisodeHistory, model: string | undefined): Unnumbered[] {
  let branch = 0;
  return course.map((event) => {
    switch (event.event) {
      case 'people':
        return peopleStep(event, branch);
      case 'message':
        return messageStep(event, branch);
      case 'reply':
        return { timestamp: event.at, source: 'agent', ...said(event.turn, model), extra: { branch } };
      case 'step':
        return agentStep(event, branch, model);
      case 'restore':
        branch = event.branch;
        return restoreStep(event);
    }
  });
}

function restoreStep({
  at,
  checkpoint,
  step,
  branch,
  restoreMs,
  observation,
}: EventOf<'restore'>): Unnumbered {
  const back =
    step === null ? '' : step === 0 ? ', as it was at the start' : `, as it was after step ${step}`;
  return {
    timestamp: at,
    source: 'system',
    message: `The sandbox was restored to checkpoint ${checkpoint}${back}.`,
    observation: { results: [{ content: [image(observation.screen)] }] },
    extra: { branch, checkpoint, back_to: step, restoreMs },
  };
}

/** The acts of people are not calls of the agent: the step has the report to the agent, and their acts besides it. */
function peopleStep({ at, changes, acts, observation }: EventOf<'people'>, branch: number): Unnumbered {
  return {
    timestamp: at,
    source: 'user',
    message: [{ type: 'text', text: changes }, image(observation.screen)],
    extra: { branch, acts },
  };
}

function messageStep({ at, from, text, observation }: EventOf<'message'>, branch: number): Unnumbered {
  const message: ContentPart[] = [
    { type: 'text', text },
    ...(observation ? [image(observation.screen)] : []),
  ];
  return { timestamp: at, source: 'user', message, extra: { branch, from } };
}

/** The format has no field for a system prompt. */
function system({ start }: EpisodeHistory): Unnumbered[] {
  const { system: text } = start.agent;
  return text === undefined ? [] : [{ timestamp: start.at, source: 'system', message: text }];
}

/** The agent's final message, without actions. */
function closing({ lastTurn }: EpisodeHistory, model: string | undefined): Unnumbered[] {
  if (lastTurn === null) return [];
  const { at, turn } = lastTurn;
  return [{ timestamp: at, source: 'agent', ...said(turn, model) }];
}

function opening({ start, reset }: EpisodeHistory): Unnumbered {
  if (reset === null) return { timestamp: start.at, source: 'user', message: '' };
  const message: ContentPart[] = [{ type: 'text', text: reset.instruction }, image(reset.observation.screen)];
  return { timestamp: reset.at, source: 'user', message };
}

function agentStep(event: EventOf<'step'>, branch: number, model: string | undefined): Unnumbered {
  const { turn, settled, timing, meanwhile } = event;
  const { changed, annotated, markCount } = event.observation;
  return {
    timestamp: event.at,
    source: 'agent',
    ...said(turn, model),
    tool_calls: calls(event),
    observation: { results: results(event) },
    extra: {
      step: event.step,
      branch,
      ...(meanwhile !== undefined && { meanwhile }),
      settled,
      timing,
      changed,
      annotated,
      marks: markCount,
    },
  };
}

function said(
  turn: EventOf<'step'>['turn'],
  model: string | undefined,
): Pick<AtifStep, 'model_name' | 'message' | 'llm_call_count' | 'reasoning_content' | 'metrics'> {
  const asked = model === undefined && turn.model === undefined ? 0 : turn.llmCalls;
  return {
    model_name: turn.model,
    message: turn.message ?? '',
    llm_call_count: asked,
    // The format forbids these for steps without a model call.
    ...(asked === 0 ? {} : { reasoning_content: turn.reasoning, metrics: metrics(turn) }),
  };
}

function calls({ step, outcomes, skipped }: EventOf<'step'>): AtifToolCall[] {
  return [...outcomes.map((outcome) => outcome.action), ...skipped].map((action, index) => {
    const { name, arguments: given } = callOf(action);
    return { tool_call_id: callId(step, index), function_name: name, arguments: given };
  });
}

/** One result per call; the screen after all of them is a separate result, as no single call made it. */
function results({ step, outcomes, skipped, observation }: EventOf<'step'>): AtifObservationResult[] {
  const tried = outcomes.map((outcome, index) => ({
    source_call_id: callId(step, index),
    content: outcomeContent(outcome),
    extra: { effect: outcome.effect },
  }));
  const untried = skipped.map((action, index) => ({
    source_call_id: callId(step, outcomes.length + index),
    content: `not tried, an earlier action failed: ${actionText(action)}`,
  }));
  return [...tried, ...untried, { content: [image(observation.screen)] }];
}

/** Pictures in supported formats come besides the text. */
function outcomeContent(outcome: RecordedOutcome): AtifObservationResult['content'] {
  const text = effectText(outcome);
  const pictures = (outcome.images ?? []).flatMap(({ mime, path }): ContentPart[] =>
    mime === 'image/svg+xml' ? [] : [{ type: 'image', source: { media_type: mime, path } }],
  );
  return pictures.length === 0 ? text : [{ type: 'text', text }, ...pictures];
}

function metrics(turn: EventOf<'step'>['turn']): AtifStep['metrics'] {
  const { promptTokens, completionTokens, cachedTokens, costUsd, thinkingTokens, modelMs, tries } = turn;
  const extra = definedOnly({ thinking_tokens: thinkingTokens, model_ms: modelMs, tries });
  const all = [promptTokens, completionTokens, cachedTokens, costUsd];
  if (all.every((one) => one === undefined) && extra === undefined) return undefined;
  return {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    cached_tokens: cachedTokens,
    cost_usd: costUsd,
    extra,
  };
}

function definedOnly(
  values: Readonly<Record<string, number | undefined>>,
): Record<string, unknown> | undefined {
  const known = Object.entries(values).filter(([, value]) => value !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

function totals(history: EpisodeHistory): NonNullable<Trajectory['final_metrics']> {
  const sum = (key: 'promptTokens' | 'completionTokens' | 'cachedTokens' | 'costUsd') => {
    const known = turnsOf(history)
      .map((turn) => turn[key])
      .filter((value) => value !== undefined);
    return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
  };
  return {
    total_prompt_tokens: sum('promptTokens'),
    total_completion_tokens: sum('completionTokens'),
    total_cached_tokens: sum('cachedTokens'),
    total_cost_usd: sum('costUsd'),
  };
}

function image(path: string): ContentPart {
  return { type: 'image', source: { media_type: 'image/png', path } };
}

function callId(step: number, index: number): string {
  return `step-${step}-${index + 1}`;
}
