import type { Cancellable } from '../../../../bridge/lib/index.ts';
import type { Method, ParamsIn, ResultOf } from '../../../../bridge/protocol/index.ts';

/** The connection to the extension in a person's own window. */
export interface WindowLink {
  /** Asks the window. Errors: `window-gone` once it has closed or reloaded, and the window's own. */
  request<M extends Method>(method: M, params: ParamsIn<M>, options?: Cancellable): Promise<ResultOf<M>>;
  /** Names the client, for the questions to the person. */
  introduce(client: string): void;
}
