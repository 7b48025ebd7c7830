import assert from 'node:assert/strict';
import {
  findToolchain,
  readImageName,
  readRequirements,
} from '../../../../host/tasks/datasets/ide-bench/base-toolchain.ts';

describe('the needs of a code base of IDE-Bench', () => {
  it('are languages by images and packages, and names of what no layer has', async () => {
    const texts = [
      'image:rust',
      'RUN apt-get install -y --no-install-recommends golang-go openjdk-17-jdk ghc git=1:2.*',
      'RUN pip install numpy==2 scikit-learn Torch',
    ];
    assert.deepEqual(await findToolchain(texts), {
      languages: ['go', 'rust', 'java', 'charts'],
      missing: ['apt: ghc', 'pip: torch'],
    });
  });

  it('come from images by their last name, and from requirements without versions', () => {
    assert.equal(
      readImageName('--platform=linux/amd64 docker.io/library/python:3.11-slim AS a'),
      'image:python',
    );
    assert.deepEqual(readRequirements('# a\nflask[async]>=2  # b\n\nmy_package==1\n'), [
      'pip:flask',
      'pip:my-package',
    ]);
  });
});
