import { readRecord } from '../record/index.ts';
import { replay, taskOf } from '../replay/index.ts';
import { openServer, pairRoutes } from '../serve/index.ts';
import type { Node } from '../node/index.ts';
import type { LivePlace, LiveState, OpenLive } from '../view/index.ts';
import { openNode, prepareNode } from './context.ts';
import { hasEnded } from './has-ended.ts';
import { personName } from './person-name.ts';
import { endText, replayedText } from './replay-text.ts';

/** Returns to steps as `pwp replay` does, and opens the page of `pwp pair` there. The first one opens the node. */
export class LiveOpener implements AsyncDisposable {
  readonly #tasks: readonly string[] | undefined;
  readonly #signal: AbortSignal;
  #node: Promise<Node> | undefined;

  /** @param tasks the folders of the records' tasks. Default: the project's own */
  constructor(tasks: readonly string[] | undefined, signal: AbortSignal) {
    [this.#tasks, this.#signal] = [tasks, signal];
  }

  readonly open: OpenLive = async ({ folder, step }, say, signal) => {
    const history = await readRecord(folder);
    const task = await taskOf(history, this.#tasks);
    say('The node is being prepared');
    const node = await this.#ready();
    say(`${task.id} is being started`);
    await using owned = new AsyncDisposableStack();
    const onStep = (reached: Parameters<typeof replayedText>[0]) => say(replayedText(reached).trim());
    const replayed = owned.use(await replay({ node, history, task, to: step, onStep, signal }));
    const [, { sandbox: id }] = replayed.env.began;
    const sandbox = owned.use(await node.open(id, { signal }));
    const routes = pairRoutes({
      title: titleOf(task.id, { folder, step }),
      person: personName(),
      open: () => Promise.resolve(sandbox),
      hasEnded: () => hasEnded(node, id),
    });
    const { url } = owned.use(await openServer(routes, 0));
    return stateOf(url, id, endText(replayed.report), owned.move());
  };

  async [Symbol.asyncDispose](): Promise<void> {
    const node = await this.#node?.catch(() => undefined);
    await node?.[Symbol.asyncDispose]();
  }

  #ready(): Promise<Node> {
    this.#node ??= this.#prepared();
    this.#node.catch(() => (this.#node = undefined));
    return this.#node;
  }

  async #prepared(): Promise<Node> {
    const signal = this.#signal;
    const node = await openNode(signal);
    try {
      await prepareNode({ node, signal });
      return node;
    } catch (error) {
      await node[Symbol.asyncDispose]();
      throw error;
    }
  }
}

function titleOf(task: string, { step }: LivePlace): string {
  return step === 0 ? `${task}, the start` : `${task}, step ${step}`;
}

function stateOf(url: string, sandbox: string, words: string, owned: AsyncDisposableStack): LiveState {
  return { url, sandbox, words, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}
