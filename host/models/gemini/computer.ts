/** Functions that models with a computer tool call, by the names of the newest form and of the one before it. */
const functions = new Set([
  ...[
    'click',
    'double_click',
    'triple_click',
    'middle_click',
    'right_click',
    'mouse_down',
    'mouse_up',
    'move',
  ],
  ...[
    'type',
    'drag_and_drop',
    'wait',
    'press_key',
    'key_down',
    'key_up',
    'hotkey',
    'take_screenshot',
    'scroll',
  ],
  ...['navigate', 'go_back', 'go_forward'],
  ...[
    'click_at',
    'hover_at',
    'type_text_at',
    'key_combination',
    'scroll_document',
    'scroll_at',
    'wait_5_seconds',
  ],
  ...['open_web_browser', 'search'],
]);

export function isComputerFunction(name: string): boolean {
  return functions.has(name);
}

/** Whether a model has the computer tool, by its name. */
export function takesComputer(model: string): boolean {
  return /^gemini-(2\.5-computer-use|[3-9])/.test(model);
}
