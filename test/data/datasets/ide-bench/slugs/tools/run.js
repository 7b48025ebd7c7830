// Runs a file of tests and reports as Jest does in its verbose form.
const path = require('node:path');
const [, , file] = process.argv;
const cases = [];
global.test = (title, run) => cases.push([title, run]);
require(path.resolve(file));
const lines = cases.map(([title, run]) => {
  try {
    run();
    return `  ✓ ${title} (1 ms)`;
  } catch {
    process.exitCode = 1;
    return `  ✕ ${title} (1 ms)`;
  }
});
console.log([`${process.exitCode ? 'FAIL' : 'PASS'} ${file}`, ...lines].join('\n'));
