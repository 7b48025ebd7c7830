import assert from 'node:assert/strict';
import { PwpError, raceSignal } from '../../../bridge/lib/index.ts';
import type { Observation, StepResult } from '../../../host/ide/index.ts';
import {
  type Agent,
  AgentChat,
  type Decision,
  type EpisodeHistory,
  openRecord,
  readExchanges,
  readRecord,
  type Turn,
} from '../../../host/run/index.ts';
import { ChatLoop, decideAfterPeople } from '../../../host/run/episode/agent-chat.ts';
import { EpisodeClock, EpisodeUsage } from '../../../host/run/episode/episode-limits.ts';
import { EpisodeRecorder } from '../../../host/run/episode/episode-recording.ts';
import { type PlayedEnd, playTask, type RunningEpisode } from '../../../host/run/episode/play-task.ts';
import { ModelError } from '../../../host/run/models/ask-model.ts';
import { openTask } from '../../../host/tasks/index.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import {
  meta,
  observationOf,
  plainPng,
  pngOf,
  resetInfo,
  size,
  stepOf,
  usageOf,
} from '../../support/record-fixture.ts';

/** An environment without an IDE: its steps only count. */
class PaperIde {
  readonly task = openTask('made/up', 'Do it.');
  readonly hasSound = false;
  maxSteps = 100;
  onStep: () => void = () => undefined;
  /** What people have left since the last turn. */
  left: string | undefined;
  readonly #png: Uint8Array;
  #steps = 0;
  #looks = 0;

  constructor(png: Uint8Array) {
    this.#png = png;
  }

  async step(): Promise<StepResult> {
    this.onStep();
    const info = stepOf((this.#steps += 1), []);
    return [await this.observe(), 0, false, this.#steps >= this.maxSteps, info];
  }

  observe(): Promise<Observation> {
    return Promise.resolve(observationOf((this.#looks += 1), this.#png));
  }

  async awaitTurn(): Promise<Observation | null> {
    const { left } = this;
    this.left = undefined;
    return left === undefined ? null : { ...(await this.observe()), personChanges: left };
  }

  readonly picture = () =>
    Promise.resolve({ ...pngOf(this.#png), region: { x: 0, y: 0, ...size }, serial: 0 });
  readonly render = () => Promise.resolve(pngOf(this.#png));
  readonly fingerprint = () => Promise.resolve({ files: null, editor: null });
  readonly usage = () => Promise.resolve(usageOf());
  readonly ask = () => Promise.reject(new Error('there is no IDE'));
  readonly sound = () => Promise.reject(new Error('there is no sound'));
  readonly checkpoint = () => Promise.reject(new Error('there is nothing to save'));
  readonly takePersonActs = () => [];
  readonly takeServices = () => [];
}

interface PlayOptions {
  readonly ms?: number;
  readonly tokens?: number;
  readonly chat?: AgentChat;
  readonly signal?: AbortSignal;
  readonly takeUnanswered?: Agent['takeUnanswered'];
}

type DecideTurn = (
  turn: Turn,
  number: number,
  signal: AbortSignal,
) => Decision | null | Promise<Decision | null>;

const press: Decision = { actions: ['xdotool key F1'] };
const words = (message: string): Decision => ({ actions: [], done: true, message });
const exchange = { url: 'u', request: { messages: [] }, status: 500, response: 'no' };

describe('the loop of an episode', () => {
  let folder: TemporaryFolder;
  let png: Uint8Array;
  let ide: PaperIde;
  let count = 0;
  before(async () => {
    folder = await temporaryFolder();
    png = await plainPng('red');
  });
  beforeEach(() => {
    ide = new PaperIde(png);
  });
  after(() => folder[Symbol.asyncDispose]());

  async function play(
    decide: DecideTurn,
    { ms = 60_000, tokens, chat, signal = new AbortController().signal, takeUnanswered }: PlayOptions = {},
  ): Promise<{ played: PlayedEnd; history: EpisodeHistory; path: string }> {
    const path = folder.file(`record-${(count += 1)}`);
    const first = await ide.observe();
    await using record = await openRecord(path, meta);
    await record.reset(first, resetInfo);
    let number = 0;
    const agent: Agent = {
      name: 'test',
      decide: async (turn, options) => decide(turn, (number += 1), options.signal),
      ...(takeUnanswered && { takeUnanswered }),
    };
    const limits = { steps: ide.maxSteps, ms, tokens: tokens ?? null, costUsd: null };
    using clock = new EpisodeClock('episode', ms, signal);
    const recorder = new EpisodeRecorder(ide, record);
    const parts = { env: ide, recorder, agent, limits, clock, usage: new EpisodeUsage(limits) };
    const episode: RunningEpisode = { ...parts, onStep: () => undefined };
    const decided = chat ? new ChatLoop(episode, chat, false).decide : decideAfterPeople(episode);
    const played = await playTask(episode, decided, first);
    return { played, history: await readRecord(path), path };
  }

  const course = ({ course: events }: EpisodeHistory) =>
    events.map((event) => (event.event === 'message' ? event.text : event.event));

  it('ends when the agent has finished: with nothing, with words, or after its last actions', async () => {
    const silent = await play((_, number) => (number === 1 ? press : null));
    assert.deepEqual([silent.played, course(silent.history)], [{ end: 'finished' }, ['step']]);
    assert.equal(silent.history.lastTurn, null);
    const said = await play(() => ({ ...words('Done.'), end: 'model-refused' }));
    assert.deepEqual([said.played, course(said.history)], [{ end: 'model-refused' }, []]);
    assert.equal(said.history.lastTurn?.turn.message, 'Done.');
    const last = await play(() => ({ ...press, done: true }));
    assert.deepEqual([last.played, course(last.history)], [{ end: 'finished' }, ['step']]);
  });

  it('shows the agent the outcome of its actions, and records its turns and the states after', async () => {
    const turns: Turn[] = [];
    const { history, path } = await play((turn, number) => {
      turns.push(turn);
      const asked = { llmCalls: 1, promptTokens: 7 };
      const exchanges = [{ ...exchange, tries: [], dropped: { pictures: 0, turns: 0 }, images: [] }];
      return number > 2 ? null : { ...press, message: `turn ${number}`, asked, exchanges };
    });
    assert.deepEqual(
      turns.map(({ last, observation, messages }) => [last?.step, observation.number, messages]),
      [
        [undefined, 1, []],
        [1, 2, []],
        [2, 3, []],
      ],
    );
    assert.deepEqual(
      history.steps.map(({ turn }) => [turn.message, turn.promptTokens]),
      [
        ['turn 1', 7],
        ['turn 2', 7],
      ],
    );
    const states = history.events.filter(({ event }) => event === 'state');
    assert.deepEqual(
      states.map((event) => 'step' in event && event.step),
      [1, 2],
    );
    assert.deepEqual(
      (await readExchanges(path)).map(({ step }) => step),
      [1, 2],
    );
  });

  it('ends at its limits', async () => {
    ide.maxSteps = 2;
    const steps = await play(() => press);
    assert.deepEqual([steps.played, steps.history.steps.length], [{ end: 'step-limit' }, 2]);
    ide = new PaperIde(png);
    const asked = { promptTokens: 60, completionTokens: 1 };
    const tokens = await play(() => ({ ...press, asked }), { tokens: 100 });
    assert.deepEqual([tokens.played, tokens.history.steps.length], [{ end: 'token-limit' }, 2]);
    const unanswered = { asked: { llmCalls: 0, promptTokens: 9 } };
    const slow = await play((_, __, signal) => raceSignal(new Promise<never>(() => undefined), signal), {
      ms: 20,
      takeUnanswered: () => unanswered,
    });
    assert.deepEqual(slow.played, { end: 'time-limit' });
    assert.deepEqual(
      slow.history.unanswered.map(({ turn }) => turn.promptTokens),
      [9],
    );
  });

  it('ends with the failure of the agent, its model or the sandbox', async () => {
    const failed = async (error: Error) =>
      play(() => {
        throw error;
      });
    const broken = new Error('a fault');
    assert.deepEqual((await failed(broken)).played, { end: 'agent-failed', failure: broken });
    const modelError = (code: 'model-too-long' | 'model-filtered' | 'model-unavailable') => {
      const error = new PwpError(code, 'no answer');
      const failure = { error, again: false, busy: false, waitMs: null, room: undefined };
      return new ModelError(failure, [], exchange);
    };
    assert.deepEqual((await failed(modelError('model-too-long'))).played, { end: 'context-limit' });
    assert.deepEqual((await failed(modelError('model-filtered'))).played, { end: 'model-refused' });
    const unavailable = modelError('model-unavailable');
    const { played, path } = await failed(unavailable);
    assert.deepEqual(played, { end: 'model-failed', failure: unavailable });
    assert.deepEqual((await readExchanges(path))[0]?.response, 'no');
    ide.onStep = () => {
      throw broken;
    };
    assert.deepEqual((await play(() => press)).played, { end: 'sandbox-failed', failure: broken });
  });

  it('rejects when it is cancelled', async () => {
    const stop = new AbortController();
    const stopping = play(
      (_, __, signal) => {
        stop.abort(new Error('enough'));
        signal.throwIfAborted();
        return press;
      },
      { signal: stop.signal },
    );
    await assert.rejects(stopping, /enough/);
  });

  it('shows the agent what people left, and records it with the state after', async () => {
    const seen: (string | undefined)[] = [];
    const { history } = await play((turn, number) => {
      seen.push(turn.observation.personChanges);
      if (number === 1) ide.left = 'saved a.txt';
      return number > 2 ? null : press;
    });
    assert.deepEqual(seen, [undefined, 'saved a.txt', undefined]);
    assert.deepEqual(course(history), ['step', 'people', 'step']);
    assert.deepEqual(
      history.events.flatMap((event) => (event.event === 'state' ? event.step : [])),
      [1, 1, 2],
    );
  });

  it('hears people before each decision, and continues after it has finished', async () => {
    const chat = new AgentChat('test');
    const heard: string[][] = [];
    chat.say('Ada', 'first');
    const { played, history } = await play(
      ({ messages = [] }, number) => {
        heard.push(messages.map(({ text }) => text));
        if (number === 1) chat.say('Ada', 'second');
        if (number === 1) return press;
        if (number === 2) chat.say('Ada', 'third');
        if (number === 3) chat.end();
        return number === 2 ? { ...press, done: true } : words('Done.');
      },
      { chat },
    );
    assert.deepEqual(heard, [['first'], ['second'], ['third']]);
    assert.deepEqual(course(history), ['first', 'step', 'second', 'step', 'third', 'reply']);
    assert.deepEqual([played, history.lastTurn], [{ end: 'finished' }, null]);
  });

  it('lets people stop a decision, and repeats the messages that it was about', async () => {
    const chat = new AgentChat('test');
    const heard: string[][] = [];
    chat.say('Ada', 'first');
    await play(
      ({ messages = [] }, number, signal) => {
        heard.push(messages.map(({ text }) => text));
        if (number === 1) {
          chat.stop();
          chat.say('Ada', 'not that');
          signal.throwIfAborted();
        }
        chat.end();
        return words('Yes.');
      },
      { chat },
    );
    assert.deepEqual(heard, [['first'], ['first', 'not that']]);
  });

  it('ends at a limit of its model among people, too', async () => {
    const chat = new AgentChat('test');
    const asked = { promptTokens: 100 };
    const { played, history } = await play(() => ({ ...words('Hm.'), asked }), { chat, tokens: 100 });
    assert.deepEqual([played, course(history)], [{ end: 'token-limit' }, ['reply']]);
  });
});
