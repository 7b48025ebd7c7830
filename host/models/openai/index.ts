export { ChatModel } from './chat.ts';
export { ResponsesModel } from './responses.ts';
