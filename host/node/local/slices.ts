import { ide, type Method, type ParamsIn, type ResultOf } from '../../../bridge/protocol/index.ts';

/** The longest wait within one request, in milliseconds: a checkpoint waits for the requests under way. */
export const sliceMs = 500;

/**
 * Repeats a request that waits for a change, each time with a short wait; makes any other request once.
 * @param ask makes the request once
 */
export async function inSlices<M extends Method>(
  method: M,
  params: ParamsIn<M>,
  ask: (params: ParamsIn<M>) => Promise<ResultOf<M>>,
): Promise<ResultOf<M>> {
  if (method.name !== ide.changes.name) return ask(params);
  const end = performance.now() + ide.changes.params.parse(params).waitMs;
  for (;;) {
    const left = Math.max(0, Math.ceil(end - performance.now()));
    const answer = await ask({ ...Object(params), waitMs: Math.min(left, sliceMs) } as ParamsIn<M>);
    if (left <= sliceMs || ide.changes.result.parse(answer).changed.length > 0) return answer;
  }
}
