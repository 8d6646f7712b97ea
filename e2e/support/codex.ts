import { join } from 'node:path'
import { mkdirSync } from 'node:fs'
import { codexHome, installAgents } from './agents.ts'
import { onwardBin, type EngineProcess } from './engine-process.ts'
import type { TestTmux } from './tmux.ts'
import { waitFor } from './wait-for.ts'

/** A person at a real, unmodified Codex in a tmux pane. */
export interface CodexPane {
  pane: string
  cwd: string
  screen(): string
  /** types a line and sends it */
  say(text: string): Promise<void>
  /** waits until the empty composer shows */
  ready(): Promise<void>
}

export interface CodexPlace {
  engine: EngineProcess
  tmux: TestTmux
  /** tmux session to start, or split when it exists */
  session: string
  /** `pane`: registered as a tmux pane; `wrapped`: Onward's own PTY, though a tmux happens to show it */
  how: 'pane' | 'wrapped'
  /** extra lines of config.toml */
  config?: string
  /** keeps the same folder, so that a restarted client is the same identity */
  cwd?: string
  split?: boolean
  /** arguments to codex */
  args?: readonly string[]
}

export async function startCodex(place: CodexPlace): Promise<CodexPane> {
  const { bin } = installAgents()
  const cwd = place.cwd ?? join(place.engine.home, 'projects', place.session)
  mkdirSync(cwd, { recursive: true })
  const env = codexHome(join(place.engine.home, 'codex-home', place.session), cwd, place.config)
  const unset = place.how === 'wrapped' ? 'env -u TMUX -u TMUX_PANE ' : ''
  // tmux takes PATH from its client whatever -e says, so it stands in the command.
  const command = `PATH=${bin}:$PATH ${unset}${process.execPath} ${onwardBin} codex --home ${place.engine.home} --port ${place.engine.port} ${(place.args ?? []).join(' ')}`
  // From a shell, as a person would: it stays when codex ends.
  const run = 'bash --norc --noprofile'
  const pane = place.split ? place.tmux.split(place.session, run, { cwd, env }) : place.tmux.session(place.session, run, { cwd, env })
  place.tmux.type(pane, command)
  place.tmux.key(pane, 'Enter')
  const screen = () => place.tmux.screen(pane)
  const codex: CodexPane = {
    pane, cwd, screen,
    async say(text) {
      await codex.ready()
      place.tmux.type(pane, text)
      await waitFor('the typed text on the screen', () => screen().replace(/\s+/g, '').includes(text.replace(/\s+/g, '').slice(-20)))
      // A person's pause: at once after the last key, Enter counts as part of a paste.
      await new Promise((resolve) => setTimeout(resolve, 300))
      place.tmux.key(pane, 'Enter')
    },
    ready: async () => { await waitFor(`Codex’s composer in ${place.session}`, () => isIdle(screen()), 40_000).catch((error: unknown) => { throw new Error(`${String(error)}\n${screen()}`) }) },
  }
  return codex
}

const isIdle = (screen: string): boolean => /^[›>] /m.test(screen) && !/esc to interrupt/i.test(screen)
