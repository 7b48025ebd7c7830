/** Where the gallery answers inside a sandbox, on the loopback interface. */
export const galleryPort = 3129;

/**
 * Its address by way of code-server's own port: so the page, which may load from there alone, and programs inside have
 * the same one.
 */
export const galleryBase = `http://127.0.0.1:8080/proxy/${galleryPort}`;

/** Where code-server, and its command line in terminals, finds the gallery. */
export const galleryEnvironment: Readonly<Record<string, string>> = {
  EXTENSIONS_GALLERY: JSON.stringify({
    serviceUrl: galleryBase,
    extensionUrlTemplate: `${galleryBase}/latest/{publisher}/{name}`,
    resourceUrlTemplate: `${galleryBase}/files/{publisher}/{name}/{version}/{path}`,
    controlUrl: `${galleryBase}/control`,
    recommendationsUrl: '',
    nlsBaseUrl: '',
  }),
};
