import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { TerminalChunk } from '../../../../shared/state.ts'
import { unless } from '../../../../shared/testing/unless.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'
import { silentLog } from '../../base/log.ts'
import { skippingClock } from '../../base/testing/skipping-clock.ts'
import { Terminal } from '../screen/xterm.ts'
import { tmuxMissing, tmuxServer, type TmuxServer } from '../testing/tmux-server.ts'
import { createPaneWatch, type PaneWatch } from './pane-watch.ts'
import { tmuxRunner, type RunTmux } from './run-tmux.ts'

/** A viewer like the dashboard's: a screen that draws what it gets. */
interface Viewer {
  terminal: Terminal
  chunks: TerminalChunk[]
  /** everything it can show, what has scrolled out too */
  text(): Promise<string>
  leave(): Promise<void>
}

describe('a tmux pane that is watched', unless(tmuxMissing), () => {
  let server: TmuxServer
  let watch: PaneWatch
  const clock = skippingClock()
  let looks = 0
  let pane: { socket: string; paneId: string; panePid: number | null; tmuxSession: string }
  const leaving: (() => Promise<void>)[] = []

  beforeEach(async () => {
    server = tmuxServer()
    const asked = tmuxRunner({ PATH: process.env.PATH })
    const run: RunTmux = (...args) => {
      looks++
      return asked(...args)
    }
    watch = createPaneWatch({ run, clock, log: silentLog })
    const paneId = await server.shell('watched')
    pane = { socket: server.socket, paneId, panePid: null, tmuxSession: 'watched' }
  })
  afterEach(async () => {
    for (const leave of leaving.splice(0)) await leave()
    watch.dispose()
    server.dispose()
  })

  const view = (): Viewer => {
    const terminal = new Terminal({ cols: 80, rows: 24, scrollback: 5000, allowProposedApi: true, logLevel: 'off' })
    const chunks: TerminalChunk[] = []
    const stop = new AbortController()
    const following = (async () => {
      for await (const chunk of watch.watch({ terminalId: 'one', pane }, stop.signal)) {
        chunks.push(chunk)
        if (chunk.type === 'screen') terminal.reset()
        if ('cols' in chunk) terminal.resize(chunk.cols, chunk.rows)
        if ('data' in chunk) terminal.write(chunk.data)
      }
    })()
    const leave = async () => {
      stop.abort()
      await following
    }
    leaving.push(leave)
    return {
      terminal,
      chunks,
      async text() {
        await new Promise<void>((resolve) => terminal.write('', resolve))
        const { active } = terminal.buffer
        const lines = Array.from({ length: active.length }, (_, i) => active.getLine(i)?.translateToString(true) ?? '')
        return lines
          .map((line) => line.trimEnd())
          .join('\n')
          .trimEnd()
      },
      leave,
    }
  }
  const inTmux = () => server.run('capture-pane', '-p', '-S', '-', '-t', pane.paneId).trimEnd()
  const enter = (line: string) => {
    server.run('send-keys', '-t', pane.paneId, '-l', '--', line)
    server.run('send-keys', '-t', pane.paneId, 'Enter')
  }
  const shows = (viewer: Viewer, what: string) =>
    waitFor(what, async () => {
      clock.skip(500)
      return inTmux().includes(what) && (await viewer.text()) === inTmux()
    })
  const resize = (cols: number, rows: number) =>
    server.run('resize-window', '-t', 'watched', '-x', String(cols), '-y', String(rows))

  it('is shown with what has scrolled out of it, line for line, however fast it goes', async () => {
    enter('seq -f "before %g" 1 300')
    await waitFor('the first lines', () => inTmux().includes('before 300\nready>'))
    const viewer = view()
    await shows(viewer, 'before 300')
    enter('seq -f "few %g" 1 12')
    await shows(viewer, 'few 12')
    enter('seq -f "many %g" 1 900; printf "\\033[41m  \\033[K\\n"; echo "th""e end"')
    await shows(viewer, 'the end')
    enter('clear; printf "\\033[3J"; tmux -S ${TMUX%%,*} clear-history; echo only "th""is"')
    await shows(viewer, 'only this')
  })

  it('is shown in its own size, with its colours and its cursor', async () => {
    const viewer = view()
    await shows(viewer, 'ready>')
    expect(viewer.chunks[0]).toMatchObject({ type: 'screen', cols: 100, rows: 30 })
    resize(60, 20)
    enter('printf "\\033[1;31mred\\033[0m plain\\033[44m%-9s\\033[0m\\n" blue')
    await shows(viewer, 'red plainblue')
    expect([viewer.terminal.cols, viewer.terminal.rows]).toEqual([60, 20])
    const { active } = viewer.terminal.buffer
    const at = (x: number) => active.getLine(active.baseY + active.cursorY - 1)?.getCell(x)
    expect([at(0)?.getChars(), at(0)?.getFgColor(), at(0)?.isBold()]).toEqual(['r', 1, expect.any(Number)])
    expect(at(4)?.isFgDefault()).toBe(true)
    expect(at(17)?.getBgColor(), 'blanks have colours too').toBe(4)
    expect(at(18)?.isBgDefault()).toBe(true)
    expect(active.cursorX).toBe('ready> '.trimEnd().length)
  })

  it('costs nothing while nobody looks, and nothing in it is touched', async () => {
    const facts = () =>
      server.run(
        'list-panes',
        '-a',
        '-F',
        '#{pane_id} #{pane_width}x#{pane_height} #{pane_pipe} #{session_attached} #{pane_in_mode} #{session_activity}',
      )
    const before = facts()
    const [one, other] = [view(), view()]
    await shows(one, 'ready>')
    await shows(other, 'ready>')
    await one.leave()
    enter('echo st""ill')
    await shows(other, 'still')
    expect(await one.text()).not.toContain('still')
    await other.leave()
    expect(facts()).toBe(before)
    const asked = looks
    enter('echo un""seen')
    await waitFor('the shell', () => inTmux().includes('unseen'))
    expect(looks).toBe(asked)
    const late = view()
    await shows(late, 'unseen')
  })

  it('says that it has ended, also to whoever comes later', async () => {
    const viewer = view()
    await shows(viewer, 'ready>')
    server.run('new-session', '-d', '-s', 'other', 'sleep 600')
    server.run('kill-pane', '-t', pane.paneId)
    await waitFor('the end', () => viewer.chunks.at(-1)?.type === 'exit')
    const late = view()
    await waitFor('the end again', () => late.chunks.at(-1)?.type === 'exit')
  })
})
