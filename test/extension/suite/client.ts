import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { deadline, poll } from '../../../bridge/lib/index.ts';
import { type Method, type ParamsIn, type ResultOf, RpcError } from '../../../bridge/protocol/index.ts';
import { connectSocket, Peer } from '../../../bridge/rpc/index.ts';
import type { Api } from '../../../extension/src/extension.ts';

/** The extension under test, as another extension sees it. */
export async function extensionUnderTest(): Promise<vscode.Extension<Api>> {
  const extension = vscode.extensions.getExtension<Api>('pwp.programming-with-pixels');
  assert.ok(extension, 'VS Code loaded the extension');
  await extension.activate();
  return extension;
}

/** Absolute path of this window's socket. */
export async function socketPath(): Promise<string> {
  const { socketPath: path } = (await extensionUnderTest()).exports;
  assert.ok(path, 'the extension listens');
  return path;
}

/** Connects as a program outside VS Code does. */
export async function connect(path?: string): Promise<Peer> {
  using limit = deadline('connecting to the extension', 5000);
  return new Peer(await connectSocket(path ?? (await socketPath()), limit.signal));
}

/** Asks the extension one thing over its socket. */
export async function ask<M extends Method>(method: M, params: ParamsIn<M>): Promise<ResultOf<M>> {
  await using peer = await connect();
  return await peer.request(method, params);
}

/** Matches a wire error by its code, and by its message if a pattern is given. */
export function wireError(code: number, message = /./): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof RpcError, String(error));
    assert.equal(error.code, code, error.message);
    assert.match(error.message, message);
    return true;
  };
}

/** Asks again until `accept` takes the answer: for state that VS Code passes to its extensions a moment later. */
export async function eventually<T>(
  what: string,
  answer: () => Promise<T>,
  accept: (value: T) => boolean,
): Promise<T> {
  using limit = deadline(what, 30_000);
  const probe = async () => {
    const value = await answer();
    return accept(value)
      ? { done: true as const, value }
      : { done: false as const, saw: JSON.stringify(value).slice(0, 2000) };
  };
  return await poll(what, probe, { intervalMs: 50, signal: limit.signal });
}
