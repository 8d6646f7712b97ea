import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { codexHome, installAgents } from './agents.ts'
import { onwardBin, projectsOf, type RunningEngine } from './engine-process.ts'
import { hostedDriver } from './hosted-agent-driver.ts'
import { lastRow, tmuxDriver, type AgentDriver } from './agent-driver.ts'
import type { TestTmux } from './tmux.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

/** A person at a real, unmodified Codex. */
export interface Codex extends AgentDriver {
  /** of tmux; empty where Codex runs in a terminal of the dashboard */
  pane: string
  cwd: string
  /** types a line and sends it */
  say(text: string): Promise<void>
  /** types a line and leaves it */
  draft(text: string): Promise<void>
  /** waits until the composer shows and nothing runs */
  ready(): Promise<void>
  /** waits until it shows a conversation that nobody has said anything in; what is typed before that is lost */
  fresh(): Promise<void>
  shows(text: string | RegExp): Promise<void>
  /** waits for anything else; a failure shows the screen */
  until(what: string, look: () => boolean): Promise<void>
  /**
   * quits it as a person does, who waits a moment before they press again; the shell it was started from is there then
   */
  quit(): Promise<void>
  dispose(): void
}

export interface CodexPlace {
  engine: RunningEngine
  tmux: TestTmux
  /** tmux session to start, or to split; its name is the folder's too */
  session: string
  /**
   * `pane`: registered as a tmux pane; `wrapped`: Onward's own PTY, though a tmux happens to show it; `hosted`: a
   * terminal of the dashboard; `by-hand`: a tmux pane whose Codex the person pointed at Onward in its own config
   */
  how: 'pane' | 'wrapped' | 'hosted' | 'by-hand'
  /** extra lines of config.toml */
  config?: string
  /** keeps the folder of another one, so that a restarted client is the same identity */
  cwd?: string
  /** whose CODEX_HOME; the same for all who name the same */
  person?: string
  split?: boolean
  /** an existing pane, with a shell in it */
  pane?: string
  /** arguments to codex */
  args?: readonly string[]
}

/** a key of the config for clients started by hand */
export const localKey = 'local-key-for-hand-started-clients'

/** What a person writes into config.toml. */
const ownConfig = ({ baseUrl }: RunningEngine): string => `
model_provider = "onward"
[model_providers.onward]
name = "Onward"
base_url = "${baseUrl}/v1"
wire_api = "responses"
env_key = "ONWARD_KEY"
[features]
daemon_auto_start = false
`

const size = { cols: 120, rows: 40 }

export async function startCodex(place: CodexPlace): Promise<Codex> {
  const cwd = place.cwd ?? join(projectsOf(place.engine.home), place.session)
  mkdirSync(cwd, { recursive: true })
  const env = codexHome(
    join(place.engine.home, 'codex-home', place.person ?? place.session),
    cwd,
    place.how === 'by-hand' ? ownConfig(place.engine) : place.config,
  )
  return place.how === 'hosted' ? inDashboard(place, cwd, env) : inTmux(place, cwd, env)
}

/** From a shell, as a person would start it: the shell stays when codex ends. */
function inTmux(place: CodexPlace, cwd: string, env: Record<string, string>): Codex {
  const { tmux, engine, session } = place
  const unset = place.how === 'wrapped' ? 'env -u TMUX -u TMUX_PANE ' : ''
  const program =
    place.how === 'by-hand'
      ? `ONWARD_KEY=${localKey} codex`
      : `${unset}${process.execPath} ${onwardBin} codex --home ${engine.home} --port ${engine.port}`
  // tmux takes PATH from its client whatever -e says, so it stands in the command.
  const command = `PATH=${installAgents().bin}:$PATH ${program} ${(place.args ?? []).join(' ')}`
  const shell = 'bash --norc --noprofile'
  const pane =
    place.pane ??
    (place.split ? tmux.split(session, shell, { cwd, env }) : tmux.session(session, shell, { cwd, env, ...size }))
  const driver = tmuxDriver(tmux, pane)
  driver.type(command)
  driver.press('Enter')
  return codexAt(driver, { pane, cwd, session, dispose: () => undefined })
}

async function inDashboard(
  { engine, session, args }: CodexPlace,
  cwd: string,
  env: Record<string, string>,
): Promise<Codex> {
  const { id } = await engine.control.api.openTerminal.mutate({
    client: 'codex',
    cwd,
    env,
    args: [...(args ?? [])],
    ...size,
  })
  const driver = hostedDriver(engine, id, size)
  return codexAt(driver, { pane: '', cwd, session, dispose: () => driver.dispose() })
}

function codexAt(driver: AgentDriver, at: Pick<Codex, 'pane' | 'cwd' | 'dispose'> & { session: string }): Codex {
  const seen = async (what: string, look: () => boolean, limitMs?: number) => {
    await waitFor(`${what} in ${at.session}`, look, limitMs).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${driver.screen()}`)
    })
  }
  const codex: Codex = {
    ...driver,
    ...at,
    async draft(text) {
      driver.type(text)
      await seen('the typed text', () =>
        driver.screen().replace(/\s+/g, '').includes(text.replace(/\s+/g, '').slice(-20)),
      )
    },
    async say(text) {
      await codex.ready()
      await codex.draft(text)
      // A person's pause: at once after the last key, Enter counts as part of a paste.
      await new Promise((resolve) => setTimeout(resolve, 300))
      driver.press('Enter')
    },
    ready: () => seen('Codex’s composer', () => isIdle(driver.screen())),
    fresh: () => seen('a new conversation', () => isFresh(driver.screen())),
    until: seen,
    async quit() {
      let pressedAt = -Infinity
      // The first clears the composer or interrupts, the next ones quit.
      await seen('the shell', () => {
        if (atShell(driver.screen())) return true
        if (performance.now() - pressedAt > PERSON_PAUSE_MS) {
          driver.press('C-c')
          pressedAt = performance.now()
        }
        return false
      })
    },
    shows: (text) =>
      seen(String(text), () =>
        typeof text === 'string' ? driver.screen().includes(text) : text.test(driver.screen()),
      ),
  }
  return codex
}

/** between two presses of the same key by somebody who looks what came of the first */
const PERSON_PAUSE_MS = 500

const atShell = (screen: string): boolean => /^bash-[\d.]+[#$]$/.test(lastRow(screen))

const isFresh = (screen: string): boolean => {
  const said = screen.match(/^[›>] .*/gm) ?? []
  return said.length === 1 && said[0]?.includes('Ask Codex to do anything') === true
}

const isIdle = (screen: string): boolean => /^[›>] /m.test(screen) && !/esc to interrupt/i.test(screen)

/** A `config.toml` that lets Codex work without asking, on a model of this name. */
export const workingConfig = (model: string): string => `
model = "${model}"
model_reasoning_effort = "high"
approval_policy = "never"
sandbox_mode = "danger-full-access"
[notice.model_migrations]
"gpt-5.5" = "gpt-6-sol"
`
