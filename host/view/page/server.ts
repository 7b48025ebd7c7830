import { clip } from '../../../bridge/text/index.ts';
const token = new URLSearchParams(location.search).get('token') ?? '';

/** The address of a resource of the server. */
export function urlOf(path: string, params: Readonly<Record<string, string | number>> = {}): string {
  const all = new URLSearchParams({ token });
  for (const [name, value] of Object.entries(params)) all.set(name, String(value));
  return `/data/${path}?${all}`;
}

/** Rejects with the server's message. */
export async function ask<T>(
  path: string,
  params: Readonly<Record<string, string | number>> = {},
  signal?: AbortSignal,
): Promise<T> {
  return (await (await answered(urlOf(path, params), { ...(signal && { signal }) })).json()) as T;
}

/** Values as they arrive, one line of JSON each. */
export async function* lines<T>(
  path: string,
  params: Readonly<Record<string, string | number>>,
  signal: AbortSignal,
  method: 'GET' | 'POST' = 'GET',
): AsyncGenerator<T> {
  const response = await answered(urlOf(path, params), { signal, method });
  if (!response.body) return;
  let rest = '';
  for await (const chunk of response.body.pipeThrough(new TextDecoderStream())) {
    const parts = (rest + chunk).split('\n');
    rest = parts.pop() ?? '';
    for (const part of parts) yield JSON.parse(part) as T;
  }
}

/** Ends a resource of the server. */
export async function end(path: string, params: Readonly<Record<string, string | number>>): Promise<void> {
  await answered(urlOf(path, params), { method: 'DELETE' });
}

async function answered(url: string, how: RequestInit): Promise<Response> {
  const response = await fetch(url, how).catch((error: unknown) => {
    how.signal?.throwIfAborted();
    throw new Error('The server does not answer. Is pwp view still running?', { cause: error });
  });
  if (response.ok) return response;
  throw new Error(clip(await response.text(), 1000) || `the server answered with ${response.status}`);
}
