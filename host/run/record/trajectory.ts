import { isJsonObject } from '../../../bridge/text/index.ts';
import { actionText, effectText } from '../../ide/index.ts';
import type { EpisodeHistory } from './read-record.ts';
import type { EventOf } from './record-events.ts';
import { describeCall, type RecordedOutcome } from './recorded-actions.ts';
import {
  ATIF_VERSION,
  type AtifContentPart,
  type AtifMetrics,
  type AtifObservationResult,
  type AtifStep,
  type AtifToolCall,
  type AtifToolDefinition,
  type WrittenTrajectory,
} from './trajectory-format.ts';

type Unnumbered = Omit<AtifStep, 'step_id'>;

/** An episode as an ATIF document: the instruction with the first screen, then one agent step per step. */
export function makeTrajectory(history: EpisodeHistory): WrittenTrajectory {
  const { start, result, unanswered } = history;
  const { name, version, model } = start.agent;
  const course = [
    ...makeSystemStep(history),
    makeOpeningStep(history),
    ...makeCourse(history, model),
    ...makeClosingStep(history, model),
  ];
  const steps = course.map((step, index) => ({ step_id: index + 1, ...step }));
  return {
    schema_version: ATIF_VERSION,
    session_id: start.session,
    // A record has one trajectory.
    trajectory_id: start.session,
    agent: { name, version, model_name: model, tool_definitions: toolDefinitions(history) },
    steps,
    notes: unanswered.length > 0 ? describeUnanswered(unanswered.length) : undefined,
    final_metrics: {
      ...makeTotals(steps, unanswered),
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
function makeCourse({ course }: EpisodeHistory, model: string | undefined): Unnumbered[] {
  let branch = 0;
  return course.map((event) => {
    switch (event.event) {
      case 'people':
        return peopleStep(event, branch);
      case 'message':
        return messageStep(event, branch);
      case 'reply':
        return { timestamp: event.at, source: 'agent', ...readSaid(event.turn, model), extra: { branch } };
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
    observation: { results: [{ content: [makeImagePart(observation.screen)] }] },
    extra: { branch, checkpoint, back_to: step, restoreMs },
  };
}

/** The acts of people are not calls of the agent: the step has the report to the agent, and their acts besides it. */
function peopleStep({ at, changes, acts, observation }: EventOf<'people'>, branch: number): Unnumbered {
  return {
    timestamp: at,
    source: 'user',
    message: [{ type: 'text', text: changes }, makeImagePart(observation.screen)],
    extra: { branch, acts },
  };
}

function messageStep({ at, from, text, observation }: EventOf<'message'>, branch: number): Unnumbered {
  const message: AtifContentPart[] = [
    { type: 'text', text },
    ...(observation ? [makeImagePart(observation.screen)] : []),
  ];
  return { timestamp: at, source: 'user', message, extra: { branch, from } };
}

/** The format has no field for a system prompt. */
function makeSystemStep({ start }: EpisodeHistory): Unnumbered[] {
  const { system: text } = start.agent;
  return text === undefined ? [] : [{ timestamp: start.at, source: 'system', message: text }];
}

/** The agent's final message, without actions. */
function makeClosingStep({ lastTurn }: EpisodeHistory, model: string | undefined): Unnumbered[] {
  if (lastTurn === null) return [];
  const { at, turn } = lastTurn;
  return [{ timestamp: at, source: 'agent', ...readSaid(turn, model) }];
}

function makeOpeningStep({ start, reset }: EpisodeHistory): Unnumbered {
  if (reset === null) return { timestamp: start.at, source: 'user', message: '' };
  const message: AtifContentPart[] = [
    { type: 'text', text: reset.instruction },
    makeImagePart(reset.observation.screen),
  ];
  return { timestamp: reset.at, source: 'user', message };
}

function agentStep(event: EventOf<'step'>, branch: number, model: string | undefined): Unnumbered {
  const { turn, settled, timing, meanwhile } = event;
  const { changed, annotated, markCount } = event.observation;
  return {
    timestamp: event.at,
    source: 'agent',
    ...readSaid(turn, model),
    tool_calls: makeToolCalls(event),
    observation: { results: makeResults(event) },
    extra: {
      step: event.step,
      branch,
      meanwhile,
      settled,
      timing,
      changed,
      annotated,
      marks: markCount,
    },
  };
}

function readSaid(
  turn: EventOf<'step'>['turn'],
  model: string | undefined,
): Pick<AtifStep, 'model_name' | 'message' | 'llm_call_count' | 'reasoning_content' | 'metrics'> {
  const asked = model === undefined && turn.model === undefined ? 0 : turn.llmCalls;
  return {
    model_name: turn.model,
    message: turn.message ?? '',
    llm_call_count: asked,
    // The format forbids these for steps without a model call.
    ...(asked === 0 ? {} : { reasoning_content: turn.reasoning, metrics: makeMetrics(turn) }),
  };
}

function makeToolCalls({ step, outcomes, skipped }: EventOf<'step'>): AtifToolCall[] {
  return [...outcomes.map((outcome) => outcome.action), ...skipped].map((action, index) => {
    const { name, arguments: given } = describeCall(action);
    return { tool_call_id: makeCallId(step, index), function_name: name, arguments: given };
  });
}

/** One result per call; the screen after all of them is a separate result, as no single call made it. */
function makeResults({ step, outcomes, skipped, observation }: EventOf<'step'>): AtifObservationResult[] {
  const tried = outcomes.map((outcome, index) => ({
    source_call_id: makeCallId(step, index),
    content: outcomeContent(outcome),
    extra: { effect: outcome.effect, ...listDrawings(outcome) },
  }));
  const untried = skipped.map((action, index) => ({
    source_call_id: makeCallId(step, outcomes.length + index),
    content: `not tried, an earlier action failed: ${actionText(action)}`,
  }));
  return [...tried, ...untried, { content: [makeImagePart(observation.screen)] }];
}

/** Pictures in supported formats come besides the text. */
function outcomeContent(outcome: RecordedOutcome): AtifObservationResult['content'] {
  const text = effectText(outcome);
  const pictures = (outcome.images ?? []).flatMap(({ mime, path }): AtifContentPart[] =>
    mime === 'image/svg+xml' ? [] : [{ type: 'image', source: { media_type: mime, path } }],
  );
  return pictures.length === 0 ? text : [{ type: 'text', text }, ...pictures];
}

/** Pictures that the format has no type for, as paths. */
function listDrawings({ images = [] }: RecordedOutcome): { readonly drawings?: readonly string[] } {
  const drawings = images.filter(({ mime }) => mime === 'image/svg+xml').map(({ path }) => path);
  return drawings.length === 0 ? {} : { drawings };
}

function makeMetrics(turn: EventOf<'step'>['turn']): AtifMetrics | undefined {
  const { promptTokens, completionTokens, cachedTokens, costUsd, thinkingTokens, modelMs, tries } = turn;
  const extra = { thinking_tokens: thinkingTokens, model_ms: modelMs, tries };
  const metrics = {
    prompt_tokens: promptTokens,
    completion_tokens: completionTokens,
    cached_tokens: cachedTokens,
    cost_usd: costUsd,
    extra: isKnown(extra) ? extra : undefined,
  };
  return isKnown(metrics) ? metrics : undefined;
}

function isKnown(fields: object): boolean {
  return Object.values(fields).some((value) => value !== undefined);
}

/** The format has totals of steps alone, and all that was paid for. */
function describeUnanswered(count: number): string {
  return `The totals of final_metrics include ${count} ${count === 1 ? 'request' : 'requests'} to a model without an answer, which no step has.`;
}

/** Of the steps and of requests without an answer, which were paid for. */
function makeTotals(
  steps: readonly AtifStep[],
  unanswered: EpisodeHistory['unanswered'],
): NonNullable<WrittenTrajectory['final_metrics']> {
  const all = [...steps.map(({ metrics }) => metrics), ...unanswered.map(({ turn }) => makeMetrics(turn))];
  const sum = (key: 'prompt_tokens' | 'completion_tokens' | 'cached_tokens' | 'cost_usd') => {
    const known = all.map((metrics) => metrics?.[key]).filter((value) => value !== undefined);
    return known.length === 0 ? undefined : known.reduce((total, value) => total + value, 0);
  };
  return {
    total_prompt_tokens: sum('prompt_tokens'),
    total_completion_tokens: sum('completion_tokens'),
    total_cached_tokens: sum('cached_tokens'),
    total_cost_usd: sum('cost_usd'),
  };
}

function makeImagePart(path: string): AtifContentPart {
  return { type: 'image', source: { media_type: 'image/png', path } };
}

function makeCallId(step: number, index: number): string {
  return `step-${step}-${index + 1}`;
}

/**
 * The tools of an agent in ATIF: those that its model was shown, and definitions of its other calls in the trajectory, so
 * that each call has a definition. Undefined without tools.
 */
function toolDefinitions({ start, steps }: EpisodeHistory): AtifToolDefinition[] | undefined {
  const { tools = [], parts = [] } = start.agent;
  const shown = tools.map(inOpenAiForm);
  const names = new Set(shown.map((one) => one.function.name));
  const actions = steps.flatMap(({ outcomes, skipped }) => [
    ...outcomes.map(({ action }) => action),
    ...skipped,
  ]);
  const called = new Set(actions.map((action) => describeCall(action).name));
  if (names.has('act')) called.add('xdotool');
  else if (parts.includes('picture')) called.add('computer');
  const others = [...called].filter((name) => !names.has(name)).map(ownDefinition);
  const all = [...shown, ...others];
  return all.length === 0 ? undefined : all;
}

/** Models are shown tools as `name`, `description` and a JSON Schema, whose field name depends on the vendor. */
function inOpenAiForm(tool: Readonly<Record<string, unknown>>): AtifToolDefinition {
  const of = isJsonObject(tool['function']) ? tool['function'] : tool;
  const { name, description } = of;
  const parameters = [of['parameters'], of['schema'], of['input_schema'], of['inputSchema']].find(
    isJsonObject,
  );
  return makeDefinition(
    typeof name === 'string' ? name : 'unnamed',
    parameters ?? { type: 'object' },
    typeof description === 'string' ? description : undefined,
  );
}

/** A call with another name than the tools, e.g. of mouse and keyboard; an unknown one takes any arguments. */
function ownDefinition(name: string): AtifToolDefinition {
  const [description, properties, required] = ownTools[name] ?? ['a call without a description', {}, []];
  const isOpen = Object.keys(properties).length === 0;
  const closed = isOpen ? {} : { required, additionalProperties: false };
  return makeDefinition(name, { type: 'object', properties, ...closed }, description);
}

function makeDefinition(
  name: string,
  parameters: Record<string, unknown>,
  description: string | undefined,
): AtifToolDefinition {
  return {
    type: 'function',
    function: { name, ...(description !== undefined && { description }), parameters },
  };
}

const textType = { type: 'string' };
const markProperty = { mark: { type: 'integer', description: 'number of a mark of the observation before' } };

type OwnTool = readonly [
  description: string,
  properties: Record<string, unknown>,
  required: readonly string[],
];

const ownTools: Readonly<Record<string, OwnTool>> = {
  xdotool: ['mouse and keyboard, as a line of xdotool', { line: textType }, ['line']],
  computer: ["mouse and keyboard, as the computer tool of the model's vendor", {}, []],
  click: ['click a mark', markProperty, ['mark']],
  double_click: ['double-click a mark', markProperty, ['mark']],
  triple_click: ['triple-click a mark', markProperty, ['mark']],
  right_click: ['right-click a mark', markProperty, ['mark']],
  middle_click: ['middle-click a mark', markProperty, ['mark']],
  hover: ['move the pointer to a mark', markProperty, ['mark']],
  drag: ['drag a mark to another one', { ...markProperty, to: markProperty.mark }, ['mark', 'to']],
  scroll: [
    'scroll at a mark',
    {
      ...markProperty,
      direction: { type: 'string', enum: ['up', 'down', 'left', 'right'] },
      amount: { type: 'integer', description: 'notches of the wheel' },
    },
    ['mark', 'direction', 'amount'],
  ],
  type: ['type into a mark', { ...markProperty, text: textType }, ['mark', 'text']],
  dialog: ['answer a dialog of the browser', { accept: { type: 'boolean' }, text: textType }, ['accept']],
  ask_person: [
    'ask a person',
    {
      text: textType,
      wants: { type: 'string', enum: ['answer', 'hands'] },
      choices: { type: 'array', items: textType },
      timeout: { type: 'number', description: 'seconds' },
    },
    ['text'],
  ],
  unreadable: ['a line that could not be read as an action, and was refused', { line: textType }, ['line']],
};
