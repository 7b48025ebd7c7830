// One address before the episodes of many machines: docs/scale.md.
export { Fleet } from './fleet.ts';
export { frontRoutes, trainerRoutes } from './front-routes.ts';
export { hashServed, offerEpisodes } from './offer-episodes.ts';
