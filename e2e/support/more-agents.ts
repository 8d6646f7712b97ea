import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { ClientKind } from '../../shared/words.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import { installAgents } from './agents.ts'
import { onwardBin, projectsOf, type RunningEngine } from './engine-process.ts'
import { hostedDriver } from './hosted-agent-driver.ts'
import { tmuxDriver, type AgentDriver } from './agent-driver.ts'
import type { TestTmux } from './tmux.ts'

/** What a test has to know of an agent to sit in front of it; how Onward knows it is the product's own. */
export interface MoreAgent {
  client: ClientKind
  name: string
  /** the version that was measured, and where it comes from */
  pinned: string
  /** comes with the tests; the others are heavy, and are run where a person has them on the PATH */
  installed: boolean
  args: readonly string[]
  /** beside HOME: calls nobody */
  env: Readonly<Record<string, string>>
  /** asks at its start whether the folder may be trusted; Enter says yes */
  trust: RegExp | null
  /** an empty composer */
  composer: RegExp
}

export const moreAgents: readonly MoreAgent[] = [
  {
    client: 'kimi',
    name: 'Kimi Code',
    pinned: '@moonshot-ai/kimi-code@2.1.0',
    installed: true,
    args: [],
    env: { KIMI_DISABLE_TELEMETRY: '1', KIMI_CODE_NO_AUTO_UPDATE: '1' },
    trust: /Trust this folder\?/,
    composer: /^ │ > {20}/m,
  },
  {
    client: 'copilot',
    name: 'GitHub Copilot CLI',
    pinned: '@github/copilot@1.0.102',
    installed: false,
    args: ['--no-auto-update'],
    env: { COPILOT_OFFLINE: 'true' },
    trust: /Do you trust the files in this folder\?/,
    composer: /^❯ *$/m,
  },
  {
    client: 'kilo',
    name: 'Kilo Code',
    pinned: '@kilocode/cli@7.7.9',
    installed: false,
    args: [],
    env: {
      KILO_DISABLE_MODELS_FETCH: '1',
      KILO_DISABLE_AUTOUPDATE: '1',
      KILO_DISABLE_DEFAULT_PLUGINS: '1',
      KILO_DISABLE_LSP_DOWNLOAD: '1',
      KILO_DISABLE_SESSION_INGEST: '1',
      KILO_TELEMETRY_LEVEL: 'off',
    },
    trust: null,
    composer: /┃ {2}(?:Ask anything|Code {2}· )/,
  },
]

/** Why an agent can't be run here. */
export const missing = ({ client, pinned, installed }: MoreAgent): string | null => {
  if (installed) return existsSync(join(installAgents().bin, client)) ? null : `${client} is not installed`
  return spawnSync(client, ['--version'], { stdio: 'ignore' }).status === 0
    ? null
    : `${client} is not on the PATH (npm install -g ${pinned}); it is too heavy to come with the tests`
}

export interface AgentPlace {
  engine: RunningEngine
  tmux: TestTmux
  /** `pane`: registered as a tmux pane; `wrapped`: in Onward's own PTY; `hosted`: a terminal of the dashboard */
  how: 'pane' | 'wrapped' | 'hosted'
}

/** A person at a real, unmodified agent. */
export interface AgentSeat extends AgentDriver {
  /** types a line and sends it */
  say(text: string): Promise<void>
  until(what: string, look: () => boolean): Promise<void>
  dispose(): void
}

const size = { cols: 120, rows: 40 }

export async function startAgent(agent: MoreAgent, { engine, tmux, how }: AgentPlace): Promise<AgentSeat> {
  const { client, args } = agent
  const [cwd, home] = [join(projectsOf(engine.home), 'work'), join(engine.home, `${client}-home`)]
  for (const path of [cwd, home]) mkdirSync(path, { recursive: true })
  const env = { HOME: home, TERM: 'xterm-256color', LANG: 'C.UTF-8', ...agent.env }
  if (how === 'hosted') {
    const { id } = await engine.control.api.openTerminal.mutate({ client, cwd, env, args: [...args], ...size })
    const driver = hostedDriver(engine, id, size)
    return seatAt(agent, driver, () => driver.dispose())
  }
  const pane = tmux.session('work', 'bash --norc --noprofile', { cwd, env, ...size })
  const unset = how === 'wrapped' ? 'env -u TMUX -u TMUX_PANE ' : ''
  const onward = `${process.execPath} ${onwardBin} ${client} --home ${engine.home} --port ${engine.port}`
  const driver = tmuxDriver(tmux, pane)
  driver.type(`PATH=${installAgents().bin}:$PATH ${unset}${onward} ${args.join(' ')}`)
  driver.press('Enter')
  return seatAt(agent, driver, () => undefined)
}

function seatAt({ client, composer, trust }: MoreAgent, driver: AgentDriver, dispose: () => void): AgentSeat {
  const until: AgentSeat['until'] = async (what, look) => {
    await waitFor(`${what} in ${client}`, look, 180_000).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${driver.screen()}`)
    })
  }
  const shown = () => driver.screen().replace(/[\s│]+/g, '')
  let trusted = trust === null
  return {
    ...driver,
    until,
    dispose,
    async say(text) {
      await until('the composer', () => {
        if (!trusted && trust?.test(driver.screen())) {
          trusted = true
          driver.press('Enter')
        }
        return composer.test(driver.screen())
      })
      driver.type(text)
      await until('the typed text', () => shown().includes(text.replace(/\s+/g, '').slice(-20)))
      // A person's pause: at once after the last key, Enter counts as part of a paste.
      await new Promise((resolve) => setTimeout(resolve, 300))
      driver.press('Enter')
    },
  }
}
