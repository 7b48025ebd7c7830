import { deadline, messageOf, poll } from '../../lib/index.ts';
import { agentSide, ide, toolMethods, viewTools } from '../../protocol/index.ts';
import type { AgentLink } from '../agent-link.ts';
import type { Part } from './part.ts';
import { IdeWork } from './ide-work.ts';
import { Reloads } from './reloads.ts';

/** No real limit: callers that wait for the desktop report what is missing. Milliseconds. */
const ONE_DAY = 86_400_000;
/** The time limit of one question of many, in milliseconds: an extension host may hang for ever. */
const ANSWER_MS = 30_000;

/** The window that the browser shows. */
export interface IdeWindow {
  /** When its browser was started, in milliseconds since 1970. */
  readonly launchedAt: number;
  /** When its page was loaded, in milliseconds since 1970; undefined while it can't be asked. */
  loadedAt(signal: AbortSignal): Promise<number | undefined>;
  /** Reloads it. */
  reload(signal: AbortSignal): Promise<void>;
}

/**
 * Opens the initial files as a person would. If the page's address named them, VS Code would open them before it knows
 * the editors of extensions, and would report a picture as a file that is not text.
 */
async function openFiles(link: AgentLink, note: (line: string) => void, signal: AbortSignal): Promise<void> {
  for (const path of link.files) {
    using limit = deadline(`opening ${path}`, ANSWER_MS, signal);
    try {
      const call = { name: viewTools.openFile.name, arguments: { path } };
      await link.request(toolMethods.call, call, limit.signal);
    } catch (error) {
      signal.throwIfAborted();
      note(`extension: ${path} is not open: ${messageOf(error)}`);
    }
  }
}

/**
 * Our extension in the window that the browser shows. It goes and comes back whenever the window is reloaded.
 * @param note writes a line into the bridge's log
 */
export function extension(link: AgentLink, window: IdeWindow, note: (line: string) => void): Part {
  const reloads = new Reloads();
  const work = new IdeWork();
  let page: number | undefined;
  /** The start of the browser in which the initial files were opened. */
  let opened: number | undefined;
  return {
    name: 'extension',
    needs: ['chromium'],
    startMs: ONE_DAY,
    async start(signal) {
      reloads.begin(window.launchedAt, performance.now());
      const answer = async () => {
        const now = performance.now();
        if (await work.hasMoved(now)) reloads.moved(now);
        if (reloads.isDue(performance.now())) {
          note('extension: the window has not started it; reloading the window');
          await window.reload(signal);
        }
        using limit = deadline('answer of the extension', ANSWER_MS, signal);
        const found = await link.request(agentSide.window, { notBefore: window.launchedAt }, limit.signal);
        await link.request(ide.info, {}, limit.signal);
        return { done: true, value: found } as const;
      };
      const found = await poll('the extension', answer, { intervalMs: 50, signal });
      reloads.answered();
      if (opened !== window.launchedAt) await openFiles(link, note, signal);
      opened = window.launchedAt;
      const [former, loadedAt] = [page, await window.loadedAt(signal)];
      page = loadedAt;
      const over = new AbortController();
      const end = link.request(agentSide.windowEnd, found, over.signal);
      return {
        reloaded: former !== undefined && former !== loadedAt,
        ended: end.then(() => 'the extension host of the window ended', messageOf),
        [Symbol.asyncDispose]: () => Promise.resolve(over.abort()),
      };
    },
  };
}
