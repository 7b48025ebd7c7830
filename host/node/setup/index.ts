export { checkRequirements, installMissingPackages, installPackagesNow } from './machine-setup.ts';
