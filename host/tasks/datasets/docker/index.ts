export {
  type DockerEnvironment,
  type DockerToolchain,
  findToolchain,
  readDockerEnvironment,
  readImageName,
  readRequirements,
} from './docker-environment.ts';
export { readDockerfile } from './dockerfile.ts';
