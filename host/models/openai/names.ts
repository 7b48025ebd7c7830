/** Whether a model thinks before it answers, by its name: it takes an effort then, and no temperature. */
export function thinks(model: string): boolean {
  return /^(o\d|gpt-([5-9]|\d\d))/.test(model) && !model.includes('chat-latest');
}

export function takesTemperature(model: string): boolean {
  return !thinks(model) && !model.includes('chat-latest');
}
