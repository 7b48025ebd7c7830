import { AgentFiles, Settings, excluded, report, stillThere } from '/opt/pwp/grade/checks.mjs';

const files = new AgentFiles();
const folders = ['__pycache__', 'shop/__pycache__', 'shop/tax/__pycache__'];
const others = ['main.py', 'shop', 'shop/cart.py', 'shop/tax', 'shop/tax/rates.py'];
await report([
  excluded(await Settings.read(files), folders, others),
  ...(await Promise.all(folders.map((folder) => stillThere(files, `/workspace/${folder}`, 'folder')))),
]);
