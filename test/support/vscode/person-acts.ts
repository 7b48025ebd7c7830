/** What a person does or looks at in a window. */
export type Act =
  /** Returns the texts of the open dialogs. */
  | { readonly do: 'dialogs' }
  /** The same, once a dialog is open. */
  | { readonly do: 'wait' }
  /** Presses a button of the dialog, which closes it. */
  | { readonly do: 'press'; readonly button: string }
  /** Closes the dialog. */
  | { readonly do: 'escape' }
  /** Runs a command by its title. @param shows a text that appears then */
  | { readonly do: 'command'; readonly title: string; readonly shows: string }
  /** The text of the Steps view, once it contains `has` or lacks `lacks`. @param button of its title, pressed before */
  | { readonly do: 'view'; readonly button?: string; readonly has?: string; readonly lacks?: string };

export type ActAnswer = { readonly texts: readonly string[] } | { readonly error: string };
