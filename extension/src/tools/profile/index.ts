export { addProfileTools } from './profile-tools.ts';
