export { checkRequirements, installMissingPackages } from './machine-setup.ts';
