// Imported first: what an older Node lacks is told in words of its own, not by whatever fails first.
const needed = 24;

if (Number.parseInt(process.versions.node) < needed) {
  process.stderr.write(
    `pwp: Node.js ${needed} or newer is needed, this is ${process.version}. \`npx pwp\` runs the one that \`npm ci\` installs.\n`,
  );
  process.exit(1);
}
