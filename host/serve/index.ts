export { openServer, type Door, type Server } from './server.ts';
export { screenDoors } from './screen.ts';
