import { leaseMethods, questionMethods, type ParamsOut } from '../../../bridge/protocol/index.ts';
import type { Handlers } from '../../../bridge/rpc/index.ts';
import type { LeaseState } from '../lease.ts';
import type { OpenQuestions } from '../questions.ts';
import { serve, type Service } from './handle.ts';

/** A node's answers about who may act. */
export function addLease(handlers: Handlers, { sandboxes }: Service): void {
  const of = ({ sandbox }: ParamsOut<typeof leaseMethods.state>) => sandboxes.get(sandbox).lease;
  serve(handlers, leaseMethods.state, async (params, signal) => onWire(await of(params).state({ signal })));
  serve(handlers, leaseMethods.changed, async (params, signal) =>
    onWire(await of(params).changed(params.revision, { signal })),
  );
  serve(handlers, leaseMethods.take, async ({ sandbox, person, ...options }, signal) => {
    const { hold, state } = await of({ sandbox }).take(person, { ...options, signal });
    return { hold, state: onWire(state) };
  });
  serve(handlers, leaseMethods.renew, (params, signal) => done(of(params).renew(params.hold, { signal })));
  serve(handlers, leaseMethods.letWatch, (params, signal) =>
    done(of(params).letWatch(params.hold, params.on, { signal })),
  );
  serve(handlers, leaseMethods.giveBack, (params, signal) =>
    done(of(params).giveBack(params.hold, { signal })),
  );
  serve(handlers, leaseMethods.revoke, (params, signal) => done(of(params).revoke(params.by, { signal })));
  serve(handlers, leaseMethods.request, (params, signal) =>
    done(of(params).request(params.by, params.why, { signal })),
  );
  serve(handlers, leaseMethods.withdraw, (params, signal) =>
    done(of(params).withdraw(params.by, { signal })),
  );
  serve(handlers, leaseMethods.looked, (params, signal) => done(of(params).looked(params.turn, { signal })));
}

/** A node's answers about the questions of agents. */
export function addQuestions(handlers: Handlers, { sandboxes }: Service): void {
  const of = (id: string) => sandboxes.get(id).questions;
  serve(handlers, questionMethods.open, async ({ sandbox }, signal) =>
    listed(await of(sandbox).open({ signal })),
  );
  serve(handlers, questionMethods.changed, async ({ sandbox, revision }, signal) =>
    listed(await of(sandbox).changed(revision, { signal })),
  );
  serve(handlers, questionMethods.ask, ({ sandbox, question, timeoutMs }, signal) =>
    of(sandbox).ask(question, { timeoutMs, signal }),
  );
  serve(handlers, questionMethods.answer, ({ sandbox, id, answer }, signal) =>
    done(of(sandbox).answer(id, answer, { signal })),
  );
}

function onWire(state: LeaseState) {
  return { ...state, requests: [...state.requests] };
}

function listed({ revision, questions }: OpenQuestions) {
  return { revision, questions: [...questions] };
}

async function done(work: Promise<void>): Promise<Record<string, never>> {
  await work;
  return {};
}
