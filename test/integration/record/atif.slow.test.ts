import assert from 'node:assert/strict';
import { execa } from 'execa';
import { finishRecord, recordFiles } from '../../../host/run/index.ts';
import { writeEpisode } from '../../support/episode-fixture.ts';
import { temporaryFolder, type TemporaryFolder } from '../../support/folder.ts';
import { attemptFolder, writeMadeUpStudy } from '../../support/made-up-study.ts';

/** Validates each file with the format owner's models, which refuse fields that the format does not have. */
const validate = `
import sys
from harbor.models.trajectories import Trajectory
for path in sys.argv[1:]:
    read = Trajectory.model_validate_json(open(path, encoding='utf-8').read())
    for one in read.agent.tool_definitions or []:
        assert one['type'] == 'function' and one['function']['name'] and one['function']['parameters'], one
    defined = {one['function']['name'] for one in read.agent.tool_definitions or []}
    called = {call.function_name for step in read.steps for call in step.tool_calls or []}
    assert called <= defined, (path, called - defined)
    print(read.schema_version, len(read.steps))
`;

describe('trajectories, validated by the owner of their format', function () {
  this.timeout(600_000);
  let folder: TemporaryFolder;
  before(async function () {
    folder = await temporaryFolder();
    const python = folder.file('venv/bin/python');
    try {
      await execa('python3', ['-m', 'venv', folder.file('venv')]);
      // Its models need only pydantic; the rest of the package needs a newer Python than machines may have.
      const quiet = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
      await execa(python, [...quiet, '--no-deps', '--ignore-requires-python', 'harbor']);
      await execa(python, [...quiet, 'pydantic>=2.11']);
    } catch {
      // Without Python or its index there is no validator.
      this.skip();
    }
  });
  after(() => folder[Symbol.asyncDispose]());

  it('are valid, and each of their calls has a definition', async () => {
    await writeEpisode(folder.file('gui'));
    const attempts = (['ace', 'mid', 'dud'] as const).map(
      (agent) => ({ agent, family: 'alpha', task: 8, number: 1 }) as const,
    );
    await writeMadeUpStudy(folder.file('study'), {
      isOver: (one) => attempts.some((other) => attemptFolder(other) === attemptFolder(one)),
    });
    const records = [
      folder.file('gui'),
      ...attempts.map((one) => folder.file(`study/${attemptFolder(one)}/try-1`)),
    ];
    for (const record of records.slice(1)) await finishRecord(record);
    const files = records.map((record) => `${record}/${recordFiles.trajectory}`);
    const { stdout } = await execa(folder.file('venv/bin/python'), ['-c', validate, ...files]);
    const lines = stdout.split('\n');
    assert.equal(lines.length, records.length);
    for (const line of lines) assert.match(line, /^ATIF-v1\.8 \d+$/);
  });
});
