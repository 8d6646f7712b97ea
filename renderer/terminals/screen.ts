import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { type ITheme, Terminal } from '@xterm/xterm'
import type { TerminalChunk } from '../../shared/state.ts'
import type { Actions } from '../control/actions.ts'
import { shortcutOf } from '../keyboard/shortcuts.ts'

/** One xterm.js on one terminal of the engine: its output comes by subscription, typed keys go back. */

export interface Screen {
  /** what stands on the screen and above it, without trailing blanks */
  text(): string
  /** @returns true if it was found */
  find(text: string, direction: 'next' | 'previous', incremental?: boolean): boolean
  endFind(): void
  focus(): void
  /**
   * Shows what the terminal shows, from now on. After a lost connection it is called again: the screen itself stays,
   * and with it the focus and what is selected.
   */
  follow(): () => void
  dispose(): void
}

export interface ScreenState {
  cols: number
  rows: number
  exit: { exitCode: number | null } | null
  problem: string | null
}

export interface ScreenOptions {
  host: HTMLElement
  terminalId: string
  /** false for terminals that live elsewhere: they are watched in their own size */
  takesInput: boolean
  actions: Pick<Actions, 'watch' | 'write' | 'resize' | 'copy'>
  mac: boolean
  onState(state: ScreenState): void
}

const resizeAfterMs = 120
/** a terminal in its own size is drawn smaller where there is no room for it, but not too small to be read */
const fontSize = { usual: 12.5, least: 8 }

export function openScreen({ host, terminalId, takesInput, actions, mac, onState }: ScreenOptions): Screen {
  const { term, fit, search, fontFamily } = makeTerminal(host, takesInput)
  let state: ScreenState = { cols: term.cols, rows: term.rows, exit: null, problem: null }
  const say = (change: Partial<ScreenState>) => {
    state = { ...state, ...change }
    onState(state)
  }
  let sized = ''
  let timer: ReturnType<typeof setTimeout> | null = null

  const resizeTo = (cols: number, rows: number) => {
    if (term.cols !== cols || term.rows !== rows) term.resize(cols, rows)
    say({ cols, rows })
  }
  const fitNow = () => {
    const proposed = takesInput ? fit.proposeDimensions() : undefined
    if (!proposed) return
    const { cols, rows } = proposed
    if (!Number.isFinite(cols) || !Number.isFinite(rows) || cols < 20 || rows < 5) return
    const wanted = `${cols}x${rows}`
    if (wanted === sized && term.cols === cols && term.rows === rows) return
    sized = wanted
    resizeTo(cols, rows)
    void actions.resize(terminalId, cols, rows)
  }
  /** The size is the terminal's own here: it is the letters that fit themselves in. */
  const shrinkNow = () => {
    const wanted = `${term.cols}x${term.rows} in ${host.clientWidth}x${host.clientHeight}`
    if (wanted === sized) return
    sized = wanted
    const { cols, rows, options } = term
    const before = options.fontSize
    // Letters have whole pixels: which size fits is seen when it is tried.
    for (let size = fontSize.usual; size >= fontSize.least; size -= 0.5) {
      options.fontSize = size
      const room = fit.proposeDimensions()
      if (!room || (room.cols >= cols && room.rows >= rows)) break
    }
    if (options.fontSize === before) return
    // xterm measures its scrollbar when the terminal has another size, and not when its letters have. A column does no
    // harm where a row would: the last line goes with it.
    term.resize(cols + 1, rows)
    term.resize(cols, rows)
  }
  const watchSize = new ResizeObserver(() => {
    if (timer) clearTimeout(timer)
    timer = setTimeout(takesInput ? fitNow : shrinkNow, resizeAfterMs)
  })
  const onChunk = (chunk: TerminalChunk) => {
    switch (chunk.type) {
      case 'screen':
        term.reset()
        resizeTo(chunk.cols, chunk.rows)
        term.write(chunk.data)
        say({ problem: null })
        watchSize.observe(host)
        if (takesInput) fitNow()
        else shrinkNow()
        return
      case 'data':
        return term.write(chunk.data)
      case 'resize':
        resizeTo(chunk.cols, chunk.rows)
        if (!takesInput) shrinkNow()
        return
      case 'exit':
        return say({ exit: { exitCode: chunk.exitCode } })
    }
  }
  const typed = takesInput
    ? term.onData((data) => {
        void actions.write(terminalId, data).then((outcome) => {
          if (!outcome.ok) say({ problem: outcome.problem.message })
        })
      })
    : null
  term.attachCustomKeyEventHandler((event) => isPrograms(event, term, mac))
  const themed = new MutationObserver(() => {
    term.options.theme = screenTheme(host)
  })
  const signsCame = onSignsLoaded(() => {
    // xterm measures a sign once for a face; named otherwise, the same one is measured anew.
    term.options.fontFamily = `${fontFamily}, monospace`
  })
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-mantine-color-scheme'] })

  return {
    text() {
      const { active } = term.buffer
      const lines = Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
      return lines.join('\n').trimEnd()
    },
    find: (text, direction, incremental = false) =>
      direction === 'next' ? search.findNext(text, { incremental }) : search.findPrevious(text),
    endFind: () => search.clearDecorations(),
    focus: () => term.focus(),
    follow() {
      // Another page may have given it another size since.
      sized = ''
      return actions.watch(terminalId, onChunk, (problem) => {
        if (problem) say({ problem: problem.message })
      })
    },
    dispose() {
      if (timer) clearTimeout(timer)
      watchSize.disconnect()
      themed.disconnect()
      signsCame()
      typed?.dispose()
      term.dispose()
    },
  }
}

function makeTerminal(host: HTMLElement, takesInput: boolean) {
  const fontFamily = getComputedStyle(host).getPropertyValue('--font-mono') || 'monospace'
  const term = new Terminal({
    fontFamily,
    fontSize: fontSize.usual,
    lineHeight: 1.2,
    scrollback: 5000,
    minimumContrastRatio: 4.5,
    theme: screenTheme(host),
    disableStdin: !takesInput,
    cursorInactiveStyle: takesInput ? 'outline' : 'none',
    allowProposedApi: false,
    macOptionIsMeta: true,
  })
  const fit = new FitAddon()
  const search = new SearchAddon()
  term.loadAddon(fit)
  term.loadAddon(search)
  term.loadAddon(
    new WebLinksAddon((_event, uri) => {
      if (/^https?:\/\//i.test(uri)) window.open(uri, '_blank', 'noopener,noreferrer')
    }),
  )
  term.open(host)
  return { term, fit, search, fontFamily }
}

/** Keys that lead out of the terminal are the page's, all others the program's. */
function isPrograms(event: KeyboardEvent, term: Terminal, mac: boolean): boolean {
  if (event.type !== 'keydown') return true
  if (event.ctrlKey && event.shiftKey && event.key.toLowerCase() === 'c' && term.hasSelection()) {
    event.preventDefault()
    void navigator.clipboard?.writeText(term.getSelection())
    return false
  }
  return shortcutOf(event, 'terminal', mac) === null
}

/** The face of symbols.css, by the name it has there. */
const face = 'Noto Sans Symbols 2'

/** Calls `then` when signs that were drawn as boxes until now have their face. @returns ends it */
function onSignsLoaded(then: () => void, fonts: FontFaceSet = document.fonts): () => void {
  const ending = new AbortController()
  fonts.addEventListener(
    'loadingdone',
    ({ fontfaces }) => {
      if (fontfaces.some(({ family }) => family.replaceAll(/["']/g, '') === face)) then()
    },
    { signal: ending.signal },
  )
  return () => ending.abort()
}

/**
 * The terminal's colours from the design tokens, as they are in the theme of the moment. xterm wants values, not
 * variables.
 */
function screenTheme(element: Element): ITheme {
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
