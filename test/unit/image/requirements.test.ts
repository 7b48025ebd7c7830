import assert from 'node:assert/strict';
import { installLine, missingPackages, type Requirement } from '../../../host/setup/index.ts';

describe('requirements', () => {
  const requirement = (
    name: string,
    found: boolean,
    optional: boolean,
    debianPackage: string | null,
  ): Requirement => {
    return { name, found, optional, debianPackage, detail: '', help: '' };
  };
  const requirements = [
    requirement('root', false, false, null),
    requirement('runc', false, false, 'runc'),
    requirement('ip', true, false, 'iproute2'),
    requirement('import', false, true, 'imagemagick'),
    requirement('convert', false, true, 'imagemagick'),
  ];

  it('name the missing packages, each once', () => {
    assert.deepEqual(missingPackages(requirements, false), ['runc']);
    assert.deepEqual(missingPackages(requirements, true), ['imagemagick', 'runc']);
  });

  it('give the exact line to run', () => {
    assert.equal(
      installLine(['runc', 'mmdebstrap']),
      'apt-get install -y --no-install-recommends runc mmdebstrap',
    );
  });
});
