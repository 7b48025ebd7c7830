import assert from 'node:assert/strict';
import {
  formatInstallLine,
  listMissingPackages,
  type MachineRequirement,
} from '../../../host/node/setup/machine-setup.ts';

describe('requirements', () => {
  const requirement = (
    name: string,
    found: boolean,
    optional: boolean,
    debianPackage: string | null,
  ): MachineRequirement => {
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
    assert.deepEqual(listMissingPackages(requirements, false), ['runc']);
    assert.deepEqual(listMissingPackages(requirements, true), ['imagemagick', 'runc']);
  });

  it('give the exact line to run', () => {
    assert.equal(
      formatInstallLine(['runc', 'mmdebstrap']),
      'apt-get install -y --no-install-recommends runc mmdebstrap',
    );
  });
});
