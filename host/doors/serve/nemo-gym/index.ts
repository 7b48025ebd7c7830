// The protocol of NeMo Gym's resources servers, for trainers: docs/serve.md.
export { nemoGymRoutes } from './nemo-routes.ts';
