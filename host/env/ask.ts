import { dom, ide, type Method, type ParamsIn, type ResultOf } from '../../bridge/protocol/index.ts';

const groups = { dom, ide };
type Groups = typeof groups;

/** The questions to an IDE, by name: `ide.settings`, `ide.diagnostics`, `dom.tree`, … */
export type Question = {
  [G in keyof Groups]: `${G}.${keyof Groups[G] & string}`;
}[keyof Groups];

type MethodOf<Q extends Question> = {
  [G in keyof Groups]: Q extends `${G}.${infer N extends keyof Groups[G] & string}` ? Groups[G][N] : never;
}[keyof Groups];

/** The parameters of a question; `{}` if it needs none. */
export type QuestionParams<Q extends Question> = ParamsIn<MethodOf<Q> & Method>;
/** The answer to a question. */
export type Answer<Q extends Question> = ResultOf<MethodOf<Q> & Method>;

const methods = new Map<string, Method>();
for (const [group, members] of Object.entries<Readonly<Record<string, Method>>>(groups))
  for (const [name, method] of Object.entries(members)) methods.set(`${group}.${name}`, method);

/** The descriptor of a question; undefined for an unknown name. */
export function methodOf(question: string): Method | undefined {
  return methods.get(question);
}
