/** A virtual environment with packages that don't go together with others. Its program is `test/python/<name>.py`. */
export interface PythonEnvironment {
  readonly name: string;
  /** The oldest Python that its packages run on. */
  readonly python: readonly [major: number, minor: number];
  readonly packages: readonly string[];
  /** Runs only if it is named: it takes too long, or too much of the disk, for every run. */
  readonly onlyNamed?: true;
}

const typeCheckers = ['mypy==2.4.1', 'pyright==1.1.414'];
const gymnasium = ['gymnasium==1.4.0', 'numpy==2.5.5', 'pillow==13.0.0'];

/** One for each package of others that the Python package works with. */
export const pythonEnvironments: readonly PythonEnvironment[] = [
  { name: 'standard_library', python: [3, 10], packages: [] },
  { name: 'gymnasium_1_4', python: [3, 12], packages: gymnasium },
  {
    name: 'trl_shape',
    python: [3, 10],
    packages: ['transformers==5.24.0', 'jinja2==3.1.6', 'pillow==13.0.0'],
  },
  { name: 'verifiers_0_4', python: [3, 11], packages: ['verifiers==0.4.0', 'uv==0.13.9'] },
  {
    name: 'inspect_sandbox',
    python: [3, 10],
    packages: ['inspect-ai==0.3.285', 'pytest==9.2.0', 'pytest-asyncio==1.5.0'],
  },
  { name: 'harbor_0_26', python: [3, 12], packages: ['harbor==0.26.0'] },
  { name: 'openenv_0_10', python: [3, 10], packages: ['openenv==0.10.0'] },
  { name: 'ors_sdk_0_1', python: [3, 10], packages: ['ors-sdk==0.1.0'] },
  { name: 'openreward_0_1', python: [3, 11], packages: ['openreward==0.1.167'] },
  {
    name: 'osworld_controller_1_0',
    python: [3, 10],
    // Its other dependencies, torch among them, are not those of its controller.
    packages: [
      ...['--no-deps', 'desktop-env==1.0.2', 'pillow==13.0.0', 'requests==2.34.2', 'urllib3==2.8.0'],
      ...['certifi==2026.10.19.post1', 'charset-normalizer==3.5.3', 'idna==3.20'],
    ],
  },
  { name: 'types_strict', python: [3, 12], packages: [...typeCheckers, ...gymnasium] },
  { name: 'release', python: [3, 10], packages: ['build==1.6.1', 'twine==7.0.0'] },
  // 1.4 GB, and minutes.
  { name: 'nemo_gym_0_4', python: [3, 12], packages: ['nemo-gym==0.4.0'], onlyNamed: true },
  {
    name: 'trl_training',
    python: [3, 10],
    packages: ['trl==1.16.0', 'jmespath==1.1.0', 'pillow==13.0.0'],
    onlyNamed: true,
  },
];
