import type { ITheme } from '@xterm/xterm'

/**
 * The terminal's colours from the design tokens, as they are in the theme of the moment. xterm wants values, not
 * variables.
 */
export function screenTheme(element: Element): ITheme {
  const style = getComputedStyle(element)
  const token = (name: string): string => style.getPropertyValue(`--term-${name}`).trim()
  const colours = {
    red: token('red'),
    green: token('green'),
    yellow: token('yellow'),
    blue: token('blue'),
    magenta: token('magenta'),
    cyan: token('cyan'),
  }
  return {
    background: token('bg'),
    foreground: token('fg'),
    cursor: token('cursor'),
    cursorAccent: token('bg'),
    selectionBackground: token('sel'),
    black: token('dim'),
    brightBlack: token('dim'),
    white: token('fg'),
    brightWhite: token('fg'),
    ...colours,
    brightRed: colours.red,
    brightGreen: colours.green,
    brightYellow: colours.yellow,
    brightBlue: colours.blue,
    brightMagenta: colours.magenta,
    brightCyan: colours.cyan,
  }
}
