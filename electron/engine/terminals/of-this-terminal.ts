/** Variables of a terminal's own, which must not leak into another terminal or a background process. */
export const ofThisTerminal = (name: string): boolean =>
  /^(TMUX|TMUX_PANE|STY|WINDOWID|TERM_SESSION_ID|COLUMNS|LINES|OLDPWD|SHLVL|_)$/.test(name)
