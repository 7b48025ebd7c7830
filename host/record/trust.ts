import * as z from 'zod';
import { desktop, type Service } from '../../bridge/protocol/index.ts';
import type { RecordedEvents } from './history.ts';

const partName = desktop.changed.params.shape.name;

/** Deaths of one part of the desktop. */
export const deaths = z.object({
  part: partName,
  times: z.int().positive(),
  steps: z
    .array(z.int().positive())
    .describe('steps in which it was down; deaths between two steps are not listed'),
  returned: z.boolean().describe('it was ready again at the end'),
});
export type Deaths = z.output<typeof deaths>;

interface Seen {
  readonly service: Service;
  readonly step: number | null;
}

/** The parts of the desktop that died in an episode. */
export function deathsOf({ steps, services }: RecordedEvents): Deaths[] {
  const seen: readonly Seen[] = [
    ...steps.flatMap(({ step, services: of }) => of.map((service) => ({ service, step }))),
    ...services.map(({ service }) => ({ service, step: null })),
  ];
  return partName.options.flatMap((part) => deathsOfPart(part, seen) ?? []);
}

function deathsOfPart(part: Service['name'], seen: readonly Seen[]): Deaths | undefined {
  const own = seen.filter(({ service }) => service.name === part);
  const down = own.filter(({ service: { state, restarts } }) => state === 'failed' || restarts > 0);
  // An extension host that ended with its window, e.g. when the agent reloaded it, has not died.
  const gone = down.filter(
    (_, i) => down.slice(i).find(({ service }) => isUp(service))?.service.reloaded !== true,
  );
  const counts = new Set(gone.map(({ service }) => service.restarts));
  if (gone.length === 0) return undefined;
  const inSteps = new Set(gone.flatMap(({ step }) => step ?? []));
  const last = own.at(-1);
  return {
    part,
    times: Math.max(1, counts.size),
    steps: [...inSteps],
    returned: last !== undefined && isUp(last.service),
  };
}

function isUp({ state }: Service): boolean {
  return state === 'ready';
}

/** Reasons to doubt a score: the sandbox was not whole while the agent worked or when it was graded. */
export function doubtsOf(history: RecordedEvents): string[] {
  const died = deathsOf(history).map((of) => deathText(of));
  const { grade, end } = history;
  return [
    ...died,
    ...(end?.how === 'sandbox-failed'
      ? [`the sandbox failed: ${end.reason?.split('\n', 1)[0] ?? 'no reason is known'}`]
      : []),
    ...(grade?.noVerdict === undefined
      ? []
      : [`the tests reach no verdict on the final state: ${grade.noVerdict}`]),
    ...(grade?.unwritten === undefined ? [] : [`VS Code may not have written all: ${grade.unwritten}`]),
  ];
}

/** One line for people. */
export function deathText({ part, times, steps, returned }: Deaths): string {
  const often = times === 1 ? 'died' : `died ${times} times`;
  const where = steps.length === 0 ? '' : ` (step ${steps.join(', ')})`;
  return `${part} ${often}${where} and ${returned ? 'came back' : 'did not come back'}`;
}
