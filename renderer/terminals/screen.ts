/** One xterm.js on one terminal of the engine: what it shows comes by subscription, what is typed goes back. */
import { FitAddon } from '@xterm/addon-fit'
import { SearchAddon } from '@xterm/addon-search'
import { WebLinksAddon } from '@xterm/addon-web-links'
import { Terminal } from '@xterm/xterm'
import type { TerminalChunk } from '../../shared/state.ts'
import type { Actions } from '../control/actions.ts'
import { shortcutOf } from '../keyboard/shortcuts.ts'
import { screenTheme } from './screen-theme.ts'

export interface Screen {
  /** what stands on the screen and above it, without trailing blanks */
  text(): string
  /** @returns whether it was found */
  find(text: string, direction: 'next' | 'previous', incremental?: boolean): boolean
  endFind(): void
  focus(): void
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

export function openScreen({ host, terminalId, takesInput, actions, mac, onState }: ScreenOptions): Screen {
  const term = new Terminal({
    fontFamily: getComputedStyle(host).getPropertyValue('--font-mono') || 'monospace',
    fontSize: 12.5,
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
    if (
      !proposed ||
      !Number.isFinite(proposed.cols) ||
      !Number.isFinite(proposed.rows) ||
      proposed.cols < 20 ||
      proposed.rows < 5
    )
      return
    const wanted = `${proposed.cols}x${proposed.rows}`
    if (wanted === sized) return
    sized = wanted
    resizeTo(proposed.cols, proposed.rows)
    void actions.resize(terminalId, proposed.cols, proposed.rows)
  }
  const watchSize = new ResizeObserver(() => {
    if (timer) clearTimeout(timer)
    timer = setTimeout(fitNow, resizeAfterMs)
  })
  const onChunk = (chunk: TerminalChunk) => {
    switch (chunk.type) {
      case 'screen':
        term.reset()
        resizeTo(chunk.cols, chunk.rows)
        term.write(chunk.data)
        say({ problem: null })
        if (takesInput) {
          watchSize.observe(host)
          fitNow()
        }
        return
      case 'data':
        return term.write(chunk.data)
      case 'resize':
        return resizeTo(chunk.cols, chunk.rows)
      case 'exit':
        return say({ exit: { exitCode: chunk.exitCode } })
    }
  }
  const stopWatching = actions.watch(terminalId, onChunk, (problem) => {
    if (problem) say({ problem: problem.message })
  })
  const typed = takesInput
    ? term.onData((data) => {
        void actions.write(terminalId, data).then((outcome) => {
          if (!outcome.ok) say({ problem: outcome.problem.message })
        })
      })
    : null
  term.attachCustomKeyEventHandler((event) => {
    if (event.type !== 'keydown') return true
    if (event.ctrlKey && event.shiftKey && event.key.toLowerCase() === 'c' && term.hasSelection()) {
      event.preventDefault()
      void navigator.clipboard?.writeText(term.getSelection())
      return false
    }
    // What leads out of the terminal is the page's, everything else the program's.
    return shortcutOf(event, 'terminal', mac) === null
  })
  const themed = new MutationObserver(() => {
    term.options.theme = screenTheme(host)
  })
  themed.observe(document.documentElement, { attributes: true, attributeFilter: ['data-mantine-color-scheme'] })

  return {
    text() {
      const {
        buffer: { active },
      } = term
      const lines = Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
      return lines.join('\n').trimEnd()
    },
    find: (text, direction, incremental = false) =>
      direction === 'next' ? search.findNext(text, { incremental }) : search.findPrevious(text),
    endFind: () => search.clearDecorations(),
    focus: () => term.focus(),
    dispose() {
      if (timer) clearTimeout(timer)
      watchSize.disconnect()
      themed.disconnect()
      typed?.dispose()
      stopWatching()
      term.dispose()
    },
  }
}
