import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { ErrorCode, ide } from '../../../../bridge/protocol/index.ts';
import { ask, eventually, wireError } from '../client.ts';
import { closeAll, fileIn, open } from '../place.ts';

describe('ide.diagnostics', () => {
  const collection = vscode.languages.createDiagnosticCollection('probe');
  afterEach(() => collection.clear());
  after(closeAll);

  it('reports what TypeScript finds in an open file', async () => {
    const uri = fileIn('app', 'bad.ts');
    await open(uri);
    const answer = () => ask(ide.diagnostics, { uri: uri.toString() });
    const { diagnostics } = await eventually(
      'an error in bad.ts',
      answer,
      (one) => one.diagnostics.length > 0,
    );
    assert.deepEqual(diagnostics, [
      {
        uri: uri.toString(),
        range: { start: { line: 0, character: 13 }, end: { line: 0, character: 18 } },
        severity: 'error',
        message: "Type 'string' is not assignable to type 'number'.",
        source: 'ts',
        code: '2322',
      },
    ]);
  });

  it('keeps the most severe when there are more than the limit, and counts the rest', async () => {
    const uri = fileIn('lib', 'crlf.txt');
    const hints = Array.from({ length: 700 }, (_, n) => problem(`hint ${n}`, vscode.DiagnosticSeverity.Hint));
    collection.set(uri, [...hints, problem('the one that matters', vscode.DiagnosticSeverity.Error)]);
    const { diagnostics, omitted } = await ask(ide.diagnostics, { uri: uri.toString(), limit: 3 });
    assert.deepEqual(
      diagnostics.map(({ severity, message }) => [severity, message]),
      [
        ['error', 'the one that matters'],
        ['hint', 'hint 0'],
        ['hint', 'hint 1'],
      ],
    );
    assert.equal(omitted, 698);
  });

  it('covers every document, and cuts endless messages', async () => {
    collection.set(fileIn('app', 'notes.md'), [
      problem('é'.repeat(50_000), vscode.DiagnosticSeverity.Warning),
    ]);
    collection.set(fileIn('lib', 'crlf.txt'), [problem('short', vscode.DiagnosticSeverity.Information)]);
    const { diagnostics } = await ask(ide.diagnostics, {});
    const ours = diagnostics.filter(({ source }) => source === 'probe');
    assert.deepEqual(
      ours.map(({ severity }) => severity),
      ['warning', 'information'],
    );
    assert.equal(ours[0]?.message.length, 10_000);
  });

  it('refuses a text that is not a URI', async () => {
    const call = ask(ide.diagnostics, { uri: 'bad.ts' });
    await assert.rejects(call, wireError(ErrorCode.InvalidParams, /bad\.ts is not a URI/));
  });
});

function problem(message: string, severity: vscode.DiagnosticSeverity): vscode.Diagnostic {
  const diagnostic = new vscode.Diagnostic(new vscode.Range(0, 0, 0, 1), message, severity);
  diagnostic.source = 'probe';
  return diagnostic;
}
