export { AnthropicModel } from './anthropic-model.ts';
export { GeminiModel } from './gemini-model.ts';
export { ChatModel } from './openai-chat.ts';
export { ResponsesModel } from './openai-responses.ts';
