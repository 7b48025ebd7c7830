const shapes = `/** Something with an area. */
export interface Shape {
  area(): number;
}

export class Circle implements Shape {
  readonly radius: number;

  constructor(radius: number) {
    this.radius = radius;
  }

  area(): number {
    return 3 * squared(this.radius);
  }
}

export class Ring extends Circle {
  override area(): number {
    return super.area() - 1;
  }
}

/** Multiplies a number by itself. */
export function squared(value: number): number {
  return value * value;
}
`;

const report = `import { Circle, Ring, squared, type Shape } from './shapes.ts';

const shapes = [new Circle(2), new Ring(3)];

export function areaOf(shape: Shape): number {
  return shape.area();
}

export function total(): number {
  return shapes.reduce((sum, shape) => sum + shape.area(), squared(1));
}

export const areas = shapes.map((shape) => shape.area());
`;

/** A project that runs, and one file with errors. */
export const typescriptFiles: Readonly<Record<string, string>> = {
  'tsconfig.json': `${JSON.stringify({
    compilerOptions: {
      strict: true,
      noEmit: true,
      target: 'esnext',
      module: 'nodenext',
      allowImportingTsExtensions: true,
      types: [],
    },
    include: ['src'],
  })}\n`,
  'src/shapes.ts': shapes,
  'src/report.ts': report,
  'src/main.ts': "import { areas, total } from './report.ts';\n\nconsole.log(total(), areas.join());\n",
  'src/broken.ts':
    'export const count: number = "three";\nexport function twice(n: number): number {\n  return doubled(n);\n}\n',
  'src/sorted.ts':
    "import { total } from './report.ts';\nimport { squared, Circle } from './shapes.ts';\nexport const both = [squared(2), new Circle(1)];\n",
  'src/ugly.ts': 'export const ugly   = {a:1,\nb:2}\n',
  'src/lone.ts': 'export const alone = 1;\n',
  'src/moving.ts': 'export const carried = 7;\nexport const kept = 8;\n',
  'src/mover.ts': "import { carried, kept } from './moving.ts';\nexport const sum = carried + kept;\n",
  'sum.js': `function add(a, b) {
  const sum = a + b;
  return sum;
}
let total = 0;
for (let i = 0; i < 5; i++) {
  total = add(total, i);
}
console.log('total', total);
`,
  'forever.js': 'let turns = 0;\nsetInterval(() => {\n  turns += 1;\n}, 20);\n',
  'js/sum.test.js':
    "import assert from 'node:assert';\nimport { it } from 'node:test';\nit('adds', () => assert.equal(1 + 1, 2));\nit('fails', () => assert.equal(1 + 1, 3));\n",
};
