export { readDockerfile, type Instruction } from './dockerfile.ts';
export { imageName, plainName, requirementsIn, toolchainOf, type Toolchain } from './packages.ts';
export { environmentOf, type Environment } from './steps.ts';
