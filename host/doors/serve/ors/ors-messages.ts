import * as z from 'zod';
import type { AgentAnswer, AgentRefusal } from '../agent-tools.ts';

/** The environment that has all tasks of a server, and its only split: names that trainers ask for by default. */
export const orsEnvironment = 'pwp';
export const orsSplit = 'train';

const split = z.string().max(200);
const index = z.int().describe('negative: from the end');

/** The bodies of requests. */
export const orsInputs = {
  split: z.object({ split }),
  task: z.object({ split, index }),
  range: z.object({ split, start: z.int().nullish(), stop: z.int().nullish() }),
  create: z
    .object({
      env_name: z.string().max(200).nullish(),
      task_spec: z.looseObject({ id: z.string().max(500) }).nullish(),
      split: split.nullish(),
      index: index.nullish(),
      toolset_name: z.null('there are no other sets of tools than that of the environment').optional(),
    })
    .refine(
      (given) => (given.task_spec != null) !== (given.split != null && given.index != null),
      'give either task_spec, or split and index',
    ),
  call: z.object({
    name: z.string().max(200),
    input: z.record(z.string(), z.unknown()),
    task_id: z.string().max(100).nullish().describe('of a call whose answer was lost'),
  }),
} as const;

export type OrsCreate = z.output<typeof orsInputs.create>;
export type OrsCall = z.output<typeof orsInputs.call>;

/** A part of a prompt or a result. */
export type OrsBlock =
  | { readonly type: 'text'; readonly text: string; readonly detail: null }
  | { readonly type: 'image'; readonly data: string; readonly mimeType: 'image/png'; readonly detail: null };

/** What a call answers: clients need each field. */
export type OrsAnswer =
  | {
      readonly ok: true;
      readonly output: {
        readonly blocks: readonly OrsBlock[];
        /** Null if it was not graded, and if the tests could not judge; `metadata.why` says why. */
        readonly reward: number | null;
        /** The episode is over. */
        readonly finished: boolean;
        readonly metadata: Readonly<Record<string, unknown>>;
      };
    }
  | { readonly ok: false; readonly error: string; readonly reason: AgentRefusal['reason'] };

/** The text, and the picture if there is one. */
export function toBlocks(text: string, picture?: string): OrsBlock[] {
  const words: OrsBlock = { type: 'text', text, detail: null };
  if (picture === undefined) return [words];
  return [words, { type: 'image', data: picture, mimeType: 'image/png', detail: null }];
}

/** A tool's answer in the words of ORS. */
export function toOrsAnswer(answer: AgentAnswer): OrsAnswer {
  if (!answer.ok) return answer;
  const { text, picture, reward, finished, facts } = answer;
  return { ok: true, output: { blocks: toBlocks(text, picture), reward, finished, metadata: facts } };
}

/** An error with the status that HTTP has for it. */
export class OrsError extends Error {
  readonly status: number;

  constructor(status: 400 | 404 | 410 | 429, detail: string) {
    super(detail);
    this.status = status;
  }
}
