export type { FlameBar, ProfileView } from './profile-message.ts';
