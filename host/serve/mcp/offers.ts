import { PwpError } from '../../../bridge/lib/index.ts';
import { toolFamilies, tools } from '../../../bridge/protocol/index.ts';
import { computerOffers } from './computer/index.ts';
import type { Offer } from './offer.ts';
import { registryOffers } from './registry.ts';

/** Which tools a server has, and how they answer. */
export interface OfferOptions {
  /** Families of the registry, and `computer`. Default: all. */
  readonly families?: readonly string[] | undefined;
  /** Only tools that change nothing. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Results as objects, too, with their schemas; see {@link registryOffers}. Default false. */
  readonly structured?: boolean | undefined;
}

export const offerFamilies: readonly string[] = [...toolFamilies, 'computer'];

/** The tools that a server has. Errors: `usage` for a family that there is not. */
export function chooseOffers({ families, readOnly = false, structured = false }: OfferOptions): Offer[] {
  const unknown = families?.find((family) => !offerFamilies.includes(family));
  if (unknown !== undefined)
    throw new PwpError('usage', `no tools are called ${unknown}; there are ${offerFamilies.join(', ')}`);
  const familyOf = new Map<string, string>(tools.map(({ name, family }) => [name, family]));
  return [...registryOffers(structured), ...computerOffers].filter(({ definition }) => {
    if (readOnly && definition.annotations?.readOnlyHint !== true) return false;
    return families?.includes(familyOf.get(definition.name) ?? 'computer') ?? true;
  });
}
