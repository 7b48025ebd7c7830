/** A string of Python with its prefix, or a comment. */
const textual =
  /(?<![\p{L}\p{N}_])([a-zA-Z]{0,2})("""|''')(?:\\[^]|(?!\2)[^])*(?:\2|$)|(?<![\p{L}\p{N}_])([a-zA-Z]{0,2})(?:"(?:\\[^]|[^"\\\n])*"?|'(?:\\[^]|[^'\\\n])*'?)|#[^\n]*/gu;

/** The text of a Python file with spaces in place of comments and strings; those that have code in braces stay. */
export function pythonCode(text: string): string {
  return text.replaceAll(textual, (found: string, long?: string, _quotes?: string, short?: string) =>
    /[ft]/i.test(long ?? short ?? '') ? found : found.replaceAll(/[^\n]/g, ' '),
  );
}
