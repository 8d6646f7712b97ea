/** A bracketed paste as terminals send it: line ends are CR there (xterm's and tmux's paste do the same). */
export const bracketed = (text: string): string => `\u001b[200~${text.replaceAll('\n', '\r')}\u001b[201~`
