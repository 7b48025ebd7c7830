const where =
  'Save it as `/workspace/graph.py`. It is run with Python 3 and Matplotlib, and must end without an error; the figure that is current at its end is looked at.';

/**
 * @param wishes the record's own text
 * @param script the reference, which names the size of the figure
 */
export function instructionOf(wishes: string | null, script: string): string {
  if (wishes !== null)
    return `The file \`/workspace/image.png\`, which is open in the editor, is a chart. Write a Python script that draws another one in its style, as asked below. ${where}\n\n${wishes.trim()}`;
  return `The file \`/workspace/image.png\`, which is open in the editor, is a chart that was drawn with Matplotlib. Write a Python script that draws the same chart: the same kinds of plots, arrangement, texts, data and colours. ${sizeOf(script)}${where}`;
}

function sizeOf(script: string): string {
  const [, width, height] = /figsize\s*=\s*\(\s*([\d.]+)\s*,\s*([\d.]+)\s*,?\s*\)/.exec(script) ?? [];
  return width === undefined || height === undefined ? '' : `Use \`figsize=(${width}, ${height})\`. `;
}
