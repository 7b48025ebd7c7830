import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import * as z from 'zod';
import {
  annotate,
  marksText,
  outcomeText,
  stepText,
  type Action,
  type Observation,
} from '../../../env/index.ts';
import { image, picture, text, type Content } from '../content.ts';
import type { CallContext } from '../served-tool.ts';

export const pictureWanted = z
  .enum(['none', 'screen', 'marks'])
  .default('none')
  .describe(
    'add the screen afterwards as an image: plain, or with its marks drawn in and listed. Ask for it only if you need it: it is the most expensive part of an answer',
  );
export type PictureWanted = z.output<typeof pictureWanted>;

/** Acts, settles, observes, and returns the outcome. A refused action makes the result an error. */
export async function stepped(
  actions: readonly (string | Action)[],
  wanted: PictureWanted,
  { session, signal }: CallContext,
  force = false,
): Promise<CallToolResult> {
  const { observation, info } = await session.step(actions, { force, signal });
  const { outcomes, settled } = info;
  // The changes of marks are left out if all marks are listed.
  const words = wanted === 'marks' ? outcomeText : stepText;
  const images = outcomes.flatMap((outcome) => (outcome.images ?? []).map(picture));
  const effects = outcomes.map(({ effect, evidence }) => ({ effect, evidence }));
  return {
    content: [text(words(observation, info)), ...images, ...(await pictureOf(observation, wanted))],
    isError: outcomes.some(({ effect }) => effect === 'refused'),
    _meta: { 'pwp/effects': effects, 'pwp/settled': settled, 'pwp/observation': observation.number },
  };
}

/** The screen of an observation, in the requested form. */
export async function pictureOf(observation: Observation, wanted: PictureWanted): Promise<Content[]> {
  const { screen, marks } = observation;
  if (wanted === 'none') return [];
  if (wanted === 'screen') return [image(screen)];
  return [text(marksText(observation)), image(await annotate(screen, marks))];
}
