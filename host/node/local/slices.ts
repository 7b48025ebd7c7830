import { ide, type Method, type ParamsIn, type ResultOf } from '../../../bridge/protocol/index.ts';

/** Milliseconds. A checkpoint waits for what is under way, so no question is under way for longer because it waits. */
export const sliceMs = 500;

/**
 * Asks a question that waits for a change again and again, each time for a while; any other once.
 * @param ask asks once
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
