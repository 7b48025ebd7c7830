import type OpenAI from 'openai';
import type { ModelEndpoint } from '../ask-model.ts';
import type { FetchFunction } from '../model-exchange.ts';
import { collectSecrets, type ModelSettings, resolveRetry } from '../model-settings.ts';

const openaiServer = 'https://api.openai.com/v1';

/**
 * SDKs take long to load, so only the ones in use are loaded. The client of one try: retries are ours, and its requests
 * go through our recorder.
 */
export async function openOpenaiClient(
  key: string,
  settings: ModelSettings,
  through: FetchFunction,
): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  return new Client({
    // The SDK wants one, also for servers that want none.
    apiKey: key === '' ? 'none' : key,
    // Environment variables of the SDK's own could ask another server, or for another organization.
    baseURL: settings.baseUrl ?? openaiServer,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: resolveRetry(settings).tryMs,
    fetch: through,
  });
}

export function makeOpenaiEndpoint(model: string, key: string, settings: ModelSettings): ModelEndpoint {
  return {
    server: settings.baseUrl ?? openaiServer,
    model,
    secrets: collectSecrets(key, settings),
    authorization: settings.authorization,
    retry: resolveRetry(settings),
  };
}
