export { Desk } from './desk.ts';
export { McpSessions } from './http.ts';
export { chooseOffers, offerFamilies, type OfferOptions } from './offers.ts';
export type { Offer } from './offer.ts';
export { serveStdio, type Pipe } from './stdio.ts';
