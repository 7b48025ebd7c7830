import { type Command, InvalidArgumentError, Option } from 'commander';
import * as z from 'zod';
import { settingFactsOf, type SettingSchemas } from '../../lib/index.ts';

/** The values of settings, as far as the command line has set them. */
export type GivenSettings<S extends SettingSchemas> = {
  readonly [K in keyof S]?: Exclude<z.output<S[K]>, undefined>;
};

export interface SettingOptions<S extends SettingSchemas> {
  /** Only these. Default: all that have an option. */
  readonly only?: readonly (keyof S & string)[];
  readonly except?: readonly (keyof S & string)[];
  /** These take any number of values. */
  readonly several?: readonly (keyof S & string)[];
  readonly required?: readonly (keyof S & string)[];
  /** Help in place of the usual one. */
  readonly help?: Readonly<Partial<Record<keyof S & string, string>>>;
}

const settingsByOption = new WeakMap<Option, z.ZodType>();

/** Whether a command has an option for a setting. */
export function hasSetting(command: Command, schema: z.ZodType): boolean {
  return command.options.some((option) => settingsByOption.get(option) === schema);
}

/** Adds an option for each of these settings. Their values are checked as in a study's file. */
export function addSettings<S extends SettingSchemas>(
  command: Command,
  schemas: S,
  { only, except = [], several = [], required = [], help }: SettingOptions<S> = {},
): Command {
  const texts: Readonly<Partial<Record<string, string>>> = help ?? {};
  for (const [name, schema] of Object.entries(schemas)) {
    const flag = settingFactsOf(schema)?.flag;
    if (flag === undefined || only?.includes(name) === false || except.includes(name)) continue;
    const written = several.includes(name) ? flag.replace('>', '...>') : flag;
    // Without this, commander would set it to true by default.
    if (flag.startsWith('--no-')) command.addOption(new Option(flag.replace('--no-', '--')).hideHelp());
    const option = makeOption(written, schema, texts[name] ?? describeSetting(schema));
    settingsByOption.set(option, schema);
    command.addOption(option.makeOptionMandatory(required.includes(name)));
    if (name === 'maxSteps') addFormerLimit(command, schema);
  }
  return command;
}

/** The settings among the options of a command line, by their own names. */
export function givenSettings<S extends SettingSchemas>(options: object, schemas: S): GivenSettings<S> {
  const values = new Map(Object.entries(options));
  const given = Object.entries(schemas).flatMap(([name, schema]) => {
    const flag = settingFactsOf(schema)?.flag;
    const value: unknown = flag === undefined ? undefined : values.get(new Option(flag).attributeName());
    return value === undefined ? [] : [[name, value] as const];
  });
  return Object.fromEntries(given) as GivenSettings<S>;
}

/** What a setting does, and what applies without it. */
export function describeSetting(schema: z.ZodType): string {
  const usual = settingDefault(schema);
  return [settingFactsOf(schema)?.help ?? '', ...(usual === undefined ? [] : [`default: ${usual}`])].join(
    '; ',
  );
}

/** The default of a setting in words; undefined if nothing applies without it. */
export function settingDefault(schema: z.ZodType): string | undefined {
  const value = settingFactsOf(schema)?.default ?? toShape(schema).default;
  if (value === undefined || value === false) return undefined;
  const text = [value].flat().join(', ');
  return text === '' ? undefined : text;
}

/** The values of a setting in words, e.g. `a whole number from 1`; empty for texts. */
export function describeValues(schema: z.ZodType): string {
  const example = settingFactsOf(schema)?.example;
  return [describeShape(toShape(schema)), example === undefined ? '' : `e.g. ${example}`]
    .filter((part) => part !== '')
    .join(', ');
}

/** The part of a JSON schema that says which values there are. */
interface ValueShape {
  readonly type?: string;
  readonly format?: string;
  readonly enum?: readonly string[];
  readonly items?: ValueShape;
  readonly minimum?: number;
  readonly exclusiveMinimum?: number;
  readonly maximum?: number;
  readonly default?: string | number | boolean | readonly string[];
}

function toShape(schema: z.ZodType): ValueShape {
  return z.toJSONSchema(schema, { io: 'input' }) as ValueShape;
}

function describeShape({ type, items, enum: words, ...limits }: ValueShape): string {
  if (words) return words.join(', ');
  if (items) return describeShape(items);
  if (type === 'boolean') return 'true or false';
  return type === 'integer' || type === 'number' ? describeNumbers(type, limits) : '';
}

function describeNumbers(type: string, { minimum, exclusiveMinimum, maximum }: ValueShape): string {
  // Every schema of a whole number has these limits.
  const isLimit = (limit: number | undefined) =>
    limit !== undefined && Math.abs(limit) < Number.MAX_SAFE_INTEGER;
  return [
    type === 'integer' ? 'a whole number' : 'a number',
    ...(isLimit(minimum) ? [`from ${minimum}`] : []),
    ...(exclusiveMinimum === undefined ? [] : [`above ${exclusiveMinimum}`]),
    ...(isLimit(maximum) ? [`${isLimit(minimum) ? 'to' : 'up to'} ${maximum}`] : []),
  ].join(' ');
}

function makeOption(flag: string, schema: z.ZodType, help: string): Option {
  const option = new Option(flag, help);
  const shape = toShape(schema);
  const words = shape.items?.enum;
  if (words) return option.choices(words);
  if (shape.type === 'boolean' || option.variadic) return option;
  return option.argParser((text) => readValue(text, schema, shape));
}

function readValue(text: string, schema: z.ZodType, { type }: ValueShape): unknown {
  const { read } = settingFactsOf(schema) ?? {};
  const isNumber = type === 'integer' || type === 'number';
  const value = read ? read(text) : isNumber ? readPlainNumber(text) : text;
  const checked = value === undefined ? undefined : schema.safeParse(value);
  if (checked?.success) return checked.data;
  throw new InvalidArgumentError(`expected ${describeValues(schema)}`);
}

function readPlainNumber(text: string): number {
  return /^-?(\d+\.?\d*|\.\d+)$/.test(text) ? Number(text) : Number.NaN;
}

/** `--limit`, the name of `--max-steps` in earlier versions. */
function addFormerLimit(command: Command, schema: z.ZodType): void {
  command.addOption(makeOption('--limit <n>', schema, '').hideHelp()).hook('preAction', (_, action) => {
    const former: unknown = action.getOptionValue('limit');
    if (former === undefined) return;
    process.stderr.write('pwp: --limit is deprecated, use --max-steps\n');
    if (action.getOptionValue('maxSteps') === undefined) action.setOptionValue('maxSteps', former);
  });
}
