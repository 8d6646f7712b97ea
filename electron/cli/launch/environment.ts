/** What of a terminal's own must not leak into another terminal or a background process. */
const ofThisTerminal = /^(TMUX|TMUX_PANE|STY|WINDOWID|TERM_SESSION_ID|COLUMNS|LINES|OLDPWD|SHLVL|_)$/

/** The person's environment for a program that runs elsewhere. */
export function personsEnvironment(env: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(env).filter((entry): entry is [string, string] => entry[1] !== undefined && !ofThisTerminal.test(entry[0])))
}
