import {
  buildVsix,
  type ExtensionPackage,
  type GalleryPackages,
} from '../../../host/node/gallery/extension-package.ts';

/** An extension with only a manifest. */
export function extension(id: string, manifest: Readonly<Record<string, unknown>> = {}): ExtensionPackage {
  const [publisher, name] = id.split('.');
  const all = { name, publisher, version: '1.0.0', engines: { vscode: '*' }, ...manifest };
  return buildVsix(id, new Map([['package.json', Buffer.from(JSON.stringify(all))]]));
}

export function packagesOf(...packages: ExtensionPackage[]): GalleryPackages {
  return new Map(packages.map((one) => [one.id, one]));
}

/** A package as other programs write it, with compressed files: `someone.real` 2.3.4, and a README. */
export const foreign = Buffer.from(
  'UEsDBBQAAAAIAAAAIQAdTJeZWwAAAG8AAAAWAAAAZXh0ZW5zaW9uL3BhY2thZ2UuanNvbi3MQQqAIBBA0avILCNcVKsO0aIbWA4l6CgOBSHePSfavg+/AJmAMCvIaDz0CtK1eccnZkGOASOh+I2ZXSTRQY96EkM6HCE3K3DzHu136qC2Zh0nb57l36+yry9QSwMEFAAAAAgAAAAhAGVdtc0KAAAAyAAAABMAAABleHRlbnNpb24vUkVBRE1FLm1kK88vSlEoH/oEAFBLAQIUAxQAAAAIAAAAIQAdTJeZWwAAAG8AAAAWAAAAAAAAAAAAAACAAQAAAABleHRlbnNpb24vcGFja2FnZS5qc29uUEsBAhQDFAAAAAgAAAAhAGVdtc0KAAAAyAAAABMAAAAAAAAAAAAAAIABjwAAAGV4dGVuc2lvbi9SRUFETUUubWRQSwUGAAAAAAIAAgCFAAAAygAAAAAA',
  'base64',
);
