/** What a person does in a window, or looks at. */
export type Act =
  /** The texts of the dialogs that are open. */
  | { readonly do: 'dialogs' }
  /** The same, once there is one. */
  | { readonly do: 'wait' }
  /** Presses a button of the dialog, which closes it. */
  | { readonly do: 'press'; readonly button: string }
  /** Closes the dialog. */
  | { readonly do: 'escape' }
  /** Runs a command by its title. @param shows a text that it shows */
  | { readonly do: 'command'; readonly title: string; readonly shows: string }
  /** The text of the view of steps, once it has a text in it, or has it no more. @param button of its title, pressed before */
  | { readonly do: 'view'; readonly button?: string; readonly has?: string; readonly lacks?: string };

export type ActAnswer = { readonly texts: readonly string[] } | { readonly error: string };
