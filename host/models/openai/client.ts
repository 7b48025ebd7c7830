import OpenAI from 'openai';
import type { Line } from '../ask.ts';
import type { Fetch } from '../exchange.ts';
import { defaultRetry, type ModelSettings } from '../settings.ts';

/** One try's client: retries are ours, and what it sends goes through our recorder. */
export function openClient(key: string, { baseUrl, retry }: ModelSettings, through: Fetch): OpenAI {
  return new OpenAI({
    apiKey: key,
    // Environment variables of the SDK's own could ask another server, or for another organization.
    baseURL: baseUrl ?? 'https://api.openai.com/v1',
    organization: null,
    project: null,
    maxRetries: 0,
    timeout: { ...defaultRetry, ...retry }.tryMs,
    fetch: through,
  });
}

export function lineOf(model: string, key: string, settings: ModelSettings): Line {
  return {
    server: openClient(key, settings, fetch).baseURL,
    model,
    secrets: [key],
    retry: { ...defaultRetry, ...settings.retry },
  };
}
