import type OpenAI from 'openai';
import type { Line } from '../ask.ts';
import type { Fetch } from '../exchange.ts';
import { retryOf, secretsOf, type ModelSettings } from '../settings.ts';

const publicServer = 'https://api.openai.com/v1';

/**
 * SDKs take long to load, so only the ones in use are loaded. The client of one try: retries are ours, and its requests
 * go through our recorder.
 */
export async function openClient(key: string, settings: ModelSettings, through: Fetch): Promise<OpenAI> {
  const { OpenAI: Client } = await import('openai');
  return new Client({
    // The SDK wants one, also for servers that want none.
    apiKey: key === '' ? 'none' : key,
    // Environment variables of the SDK's own could ask another server, or for another organization.
    baseURL: settings.baseUrl ?? publicServer,
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: retryOf(settings).tryMs,
    fetch: through,
  });
}

export function lineOf(model: string, key: string, settings: ModelSettings): Line {
  return {
    server: settings.baseUrl ?? publicServer,
    model,
    secrets: secretsOf(key, settings),
    authorization: settings.authorization,
    retry: retryOf(settings),
  };
}
