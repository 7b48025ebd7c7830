import assert from 'node:assert/strict';
import { join } from 'node:path';
import { execa } from 'execa';
import { chromium } from 'playwright-core';
import { deadline, pause } from '../../../bridge/lib/index.ts';
import { soundFormat } from '../../../bridge/protocol/index.ts';
import { pairRoutes } from '../../../host/doors/serve/live/live-routes.ts';
import { openServer } from '../../../host/doors/serve/server.ts';
import { hearSound, readSound, Session, type Sound, takeControl } from '../../../host/ide/index.ts';
import { defaultDisplay, type Sandbox } from '../../../host/node/index.ts';
import { startVideo } from '../../../host/run/record/video.ts';
import { onOneNode, type OpenedNode } from '../../support/each-node.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { bareSpec } from '../../support/node-sandbox.ts';

onOneNode('a sandbox with sound', (open) => {
  const display = { ...defaultDisplay, audio: true };
  const owned = new AsyncDisposableStack();
  let test: OpenedNode;
  let sandbox: Sandbox;
  let session: Session;

  before(async () => {
    test = owned.use(await open());
    sandbox = owned.use(await test.node.start(bareSpec({ role: 'ide', display })));
    await sandbox.ready();
    session = new Session(sandbox, { audio: true, settleCapMs: 15_000 });
    owned.use(session);
    await session.step(['xdotool key F1']);
    await session.step(['xdotool type "List Signal Sounds"', 'xdotool key Return']);
  });
  after(() => owned.disposeAsync());

  /** VS Code's list of its sounds plays each one that is chosen, at once or a moment later. */
  async function choose(by: Session): Promise<Sound & { readonly wav: Uint8Array }> {
    using limit = deadline('a sound of the IDE, and then another', 30_000);
    const { signal } = limit;
    // The previous one is over.
    while ((await by.observe({ signal })).audio?.wav) await pause(500, signal);
    let { audio } = (await by.step('xdotool key Down', { signal })).observation;
    while (!audio?.wav) {
      await pause(100, signal);
      ({ audio } = await by.observe({ signal }));
    }
    return { ...audio, wav: audio.wav };
  }

  it('lets a session hear what VS Code plays, and silence otherwise', async () => {
    using quiet = new Session(sandbox, { audio: true });
    const { audio } = await quiet.observe();
    assert.deepEqual(audio, { wav: null, seconds: 0, missingSeconds: 0 });
    const { wav, seconds, missingSeconds } = await choose(session);
    assert.equal(missingSeconds, 0);
    assert.equal(wav.byteLength, 44 + Math.round(seconds * soundFormat.rate) * soundFormat.bytesPerFrame);
    assert(loudest(wav) > 500, `${loudest(wav)} of 32768`);
  });

  it('can be checkpointed live, and is heard after a restore and in a fork', async () => {
    await choose(session);
    const { id, kind } = await sandbox.checkpoint({ kind: 'live' });
    assert.equal(kind, 'live');
    const { audio } = await session.restore(id);
    assert.deepEqual(audio, { wav: null, seconds: 0, missingSeconds: 0 });
    await choose(session);
    await using fork = await test.node.fork(id, { name: 'fork', keep: false });
    using forked = new Session(fork, { audio: true, settleCapMs: 15_000 });
    await forked.resume({ observation: 0, mark: 0 });
    await choose(forked);
  });

  it('is heard in a video for its whole length', async () => {
    await using folder = await temporaryFolder();
    const path = join(folder.path, 'video.mkv');
    const video = await startVideo({
      path,
      take: (options, signal) => sandbox.picture({ ...options, signal }),
      sound: (options) => readSound(sandbox, options),
    });
    await choose(session);
    assert.deepEqual((await video.finish()).failure, null);
    const { stderr } = await execa('ffmpeg', [
      '-i',
      path,
      '-map',
      '0:a',
      '-af',
      'volumedetect',
      '-f',
      'null',
      '-',
    ]);
    const [, loud] = /max_volume: (-?[\d.]+) dB/.exec(stderr) ?? [];
    assert(Number(loud) > -40, stderr.slice(-400));
    const [pictures, samples] = await Promise.all([lengthOf(path, 'v'), lengthOf(path, 'a')]);
    assert(Math.abs(pictures - samples) < 1, `${pictures} s of pictures, ${samples} s of sound`);
  });

  it('is not heard by agents while a person has control and lets no one watch, nor afterwards', async () => {
    await choose(session);
    let endsAt = 0;
    {
      await using control = await takeControl(sandbox, { kind: 'person', id: 'ada', name: 'Ada' });
      await assert.rejects(hearSound(sandbox), { code: 'control-held' });
      const key = { kind: 'key', keys: ['Down'], action: 'press', delayMs: 0 } as const;
      const { to } = await readSound(sandbox, { after: Number.MAX_SAFE_INTEGER });
      await control.input([key], {});
      using limit = deadline('a sound for the person', 30_000);
      while (
        (await readSound(sandbox, { after: to, waitMs: 500, signal: limit.signal })).pcm.byteLength === 0
      )
        await control.input([key], {});
      endsAt = Date.now();
    }
    const isSince = ({ from, to }: { from: number; to: number }) =>
      (to - from) / soundFormat.rate <= (Date.now() - endsAt) / 1000 + 0.5;
    assert.ok(isSince(await hearSound(sandbox)), 'there is more than was played since');
    const { audio } = await session.observe();
    assert.deepEqual(audio, { wav: null, seconds: 0, missingSeconds: 0 });
    assert.ok(isSince(await hearSound(sandbox, { after: 0 })), 'there is more after a look');
    await choose(session);
  });

  it('is heard in the page by viewers who turn it on', async () => {
    const source = { title: 'sound', person: 'Ada', open: () => Promise.resolve(sandbox) };
    await using server = await openServer(pairRoutes(source), 0);
    const args = ['--no-sandbox', '--disable-gpu'];
    await using browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args });
    const page = await browser.newPage();
    await page.goto(server.url, { waitUntil: 'commit' });
    const button = page.getByRole('button', { name: 'Sound' });
    await button.click();
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    await choose(session);
    await page.locator('#sound[data-played]').waitFor({ timeout: 30_000 });
    await button.click();
    assert.equal(await button.getAttribute('aria-pressed'), 'false');
  });

  it('is optional: without it the error says how to get sound', async () => {
    await using bare = await test.node.start(bareSpec({}));
    assert.throws(() => new Session(bare, { audio: true }), { code: 'unsupported', help: /--audio/ });
    await assert.rejects(readSound(bare), { code: 'unsupported' });
  });
});

/** Over all samples of a WAV file. */
function loudest(wav: Uint8Array): number {
  const samples = new DataView(wav.buffer, wav.byteOffset + 44, wav.byteLength - 44);
  let most = 0;
  for (let at = 0; at + 2 <= samples.byteLength; at += 2)
    most = Math.max(most, Math.abs(samples.getInt16(at, true)));
  return most;
}

/** Seconds of the packets of one stream of a video. */
async function lengthOf(path: string, stream: 'a' | 'v'): Promise<number> {
  const entries = ['-select_streams', stream, '-show_entries', 'packet=pts_time', '-of', 'csv=p=0'];
  const { stdout } = await execa('ffprobe', ['-v', 'error', ...entries, path]);
  return Number(stdout.trim().split('\n').at(-1)?.replace(/,.*$/, ''));
}
