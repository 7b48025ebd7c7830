import type { EpisodeHistory, EventOf } from '../record/index.ts';
import { duration } from './format.ts';
import { markup, type Html } from './markup.ts';

type Service = EventOf<'service'>['service'];

/** A part that died or was restarted; its first start is not an incident. */
export function isIncident({ state, restarts }: Service): boolean {
  return state === 'failed' || restarts > 0;
}

export function incidentText({ name, state, restarts, detail }: Service): string {
  const again = restarts > 1 ? `, ${restarts} times so far` : '';
  const happened = {
    waiting: 'died and waits for its restart',
    starting: 'died and is being restarted',
    ready: 'died and was restarted',
    failed: 'failed',
  }[state];
  return `${name} ${happened}${again}${detail === undefined ? '' : `: ${detail}`}`;
}

/**
 * Services that died, refused connections, limits that were hit, and errors, in order of time.
 */
export function incidents(
  history: Pick<EpisodeHistory, 'steps' | 'services' | 'refusals' | 'usages' | 'errors'>,
): Html | null {
  const { steps, services, refusals, usages, errors } = history;
  const inSteps = steps.flatMap((step) =>
    step.services.map((service) => ({ service, ms: step.ms, at: `Step ${step.step}` })),
  );
  const between = services.map(({ service, ms }) => ({ service, ms, at: 'Between steps' }));
  const died = [...inSteps, ...between]
    .filter(({ service }) => isIncident(service))
    .map(({ service, ms, at }) => ({ ms, what: `${at}: ${incidentText(service)}` }));
  const met = errors.map((error) => ({ ms: error.ms, what: errorText(error) }));
  const limits = usages
    .filter(({ hit }) => hit.length > 0)
    .map((event) => ({ ms: event.ms, what: limitText(event) }));
  const refused = refusals.map((refusal) => ({ ms: refusal.ms, what: refusalText(refusal) }));
  const all = [...died, ...refused, ...limits, ...met].sort((a, b) => a.ms - b.ms);
  if (all.length === 0) return null;
  return markup`<section class="incidents" aria-labelledby="incidents">
    <h2 id="incidents">Incidents</h2>
    <ol>
      ${all.map(({ ms, what }) => markup`<li><span class="quiet">${duration(ms)}</span> <span class="what">${what}</span></li>`)}
    </ol>
  </section>`;
}

function limitText({ hit, usage: { hits } }: EventOf<'usage'>): string {
  const sentences = {
    cpu: 'the limit of cores',
    memory: `the limit of memory: ${hits.memory} processes were killed so far`,
    pids: `the limit of processes: ${hits.pids} were refused so far`,
    disk: 'the limit of disk: it was full',
  };
  return `The sandbox hit ${hit.map((name) => sentences[name]).join('; ')}`;
}

function refusalText({ host, port, why }: EventOf<'refused-connection'>): string {
  if (why === 'too-many-connections') return 'Connection refused: too many at once';
  return `Connection to ${host}:${port} refused: ${why.replaceAll('-', ' ')}`;
}

function errorText({ message, code, causes, help }: EventOf<'error'>): string {
  const because = causes.map((cause) => `\nbecause: ${cause}`).join('');
  return `${message} (${code})${because}${help === undefined ? '' : `\n${help}`}`;
}
