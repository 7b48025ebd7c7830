import type { Talk } from '../page/index.ts';
import type { Channel } from './channel.ts';

/** The talk at one moment. */
export interface TalkView extends Talk {
  /** Rises with each change. */
  readonly revision: number;
}

/** An agent that people talk with on the page. */
export interface AgentTalk {
  readonly view: TalkView;
  /** Resolves with the view as soon as it differs from that of a revision. */
  changed(revision: number, signal: AbortSignal): Promise<TalkView>;
  /** Sends the agent a message. Errors: a `PwpError` if it can't hear it. */
  say(from: string, text: string): void;
  /** Stops the agent: it then waits for a message. */
  stop(): void;
}

/** Sends a page the talk, at first and at each change. Rejects when the signal fires. */
export async function sendTalk(talk: AgentTalk, channel: Channel, signal: AbortSignal): Promise<never> {
  for (let now = talk.view; ; now = await talk.changed(now.revision, signal)) {
    const { agent, state, lines } = now;
    channel.send({ type: 'talk', talk: { agent, state, lines } });
  }
}
