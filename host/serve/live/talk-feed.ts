import type { Talk } from '../page/index.ts';
import type { Channel } from './channel.ts';

/** Talk as it is at one moment. */
export interface TalkView extends Talk {
  /** Rises with each change. */
  readonly revision: number;
}

/** An agent that people talk with on the page. */
export interface AgentTalk {
  readonly view: TalkView;
  /** The view, once it is another than that of a revision. */
  changed(revision: number, signal: AbortSignal): Promise<TalkView>;
  /** Says something to the agent. Errors: a `PwpError` where it can't hear that. */
  say(from: string, text: string): void;
  /** Stops it: it then waits for what people say. */
  stop(): void;
}

/** Sends a page what was said, at first and at each change. Rejects when the signal fires. */
export async function sendTalk(talk: AgentTalk, channel: Channel, signal: AbortSignal): Promise<never> {
  for (let now = talk.view; ; now = await talk.changed(now.revision, signal)) {
    const { agent, state, lines } = now;
    channel.send({ type: 'talk', talk: { agent, state, lines } });
  }
}
