import { PwpError } from '../../../bridge/lib/index.ts';
import { toolFamilies, tools } from '../../../bridge/protocol/index.ts';
import { computerOffers } from './computer/index.ts';
import type { Offer } from './offer.ts';
import { registryOffers } from './registry.ts';
import { setOffers } from './sets.ts';

/** Which tools a server has, and how they answer. */
export interface OfferOptions {
  /** Instead of the registry's tools those of a set, e.g. `ide-bench`, alone: no `computer_*`. Default: none. */
  readonly set?: string | undefined;
  /** Families of the registry, and `computer`. Default: all. Not with a set. */
  readonly families?: readonly string[] | undefined;
  /** Only tools that change nothing. Default false. */
  readonly readOnly?: boolean | undefined;
  /** Results as objects, too, with their schemas; see {@link registryOffers}. Default false. */
  readonly structured?: boolean | undefined;
}

export const offerFamilies: readonly string[] = [...toolFamilies, 'computer'];

/** The tools that a server has. Errors: `usage` for a family that there is not. */
export function chooseOffers({ set, families, readOnly = false, structured = false }: OfferOptions): Offer[] {
  if (set !== undefined && (families !== undefined || structured))
    throw new PwpError('usage', 'a set of tools is taken as it is: without --families and --structured');
  const unknown = families?.find((family) => !offerFamilies.includes(family));
  if (unknown !== undefined)
    throw new PwpError('usage', `no tools are called ${unknown}; there are ${offerFamilies.join(', ')}`);
  const familyOf = new Map<string, string>(tools.map(({ name, family }) => [name, family]));
  const offers = set === undefined ? [...registryOffers(structured), ...computerOffers] : setOffers(set);
  return offers.filter(({ definition }) => {
    if (readOnly && definition.annotations?.readOnlyHint !== true) return false;
    if (set !== undefined) return true;
    return families?.includes(familyOf.get(definition.name) ?? 'computer') ?? true;
  });
}
