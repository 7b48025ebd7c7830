/**
 * A bash script that packs the extension `tests.small` for VS Code, into `small.vsix`.
 * @param manifest fields of its package.json besides its name and engine
 * @param main its script, in CommonJS
 */
export function packVsix(manifest: Readonly<Record<string, unknown>>, main: string): string {
  const files = {
    'extension.vsixmanifest': vsixManifest,
    '[Content_Types].xml': contentTypes,
    'extension/package.json': JSON.stringify({ ...common, ...manifest }),
    'extension/main.js': main,
  };
  return `python3 - <<'END'
import base64, json, zipfile
files = json.loads(base64.b64decode('${Buffer.from(JSON.stringify(files)).toString('base64')}'))
with zipfile.ZipFile('small.vsix', 'w') as vsix:
    for path, text in files.items():
        vsix.writestr(path, text)
END`;
}

const common = {
  name: 'small',
  publisher: 'tests',
  version: '1.0.0',
  engines: { vscode: '^1.80.0' },
  main: './main.js',
  capabilities: { untrustedWorkspaces: { supported: true } },
};

const vsixManifest = `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011">
  <Metadata>
    <Identity Language="en-US" Id="small" Version="1.0.0" Publisher="tests"/>
    <DisplayName>Small</DisplayName>
    <Description>Made by a test</Description>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
  </Assets>
</PackageManifest>`;

const contentTypes = `<?xml version="1.0" encoding="utf-8"?>
<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
  <Default Extension=".json" ContentType="application/json"/>
  <Default Extension=".vsixmanifest" ContentType="text/xml"/>
</Types>`;
