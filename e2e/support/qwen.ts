import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { installAgents, qwenHome } from './agents.ts'
import { onwardBin, projectsOf, type RunningEngine } from './engine-process.ts'
import { hostedDriver } from './hosted-agent-driver.ts'
import { tmuxDriver, type AgentDriver } from './agent-driver.ts'
import type { TestTmux } from './tmux.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

/** A person at a real, unmodified Qwen Code. */
export interface Qwen extends AgentDriver {
  cwd: string
  /** types a line and sends it */
  say(text: string): Promise<void>
  /** waits for anything; a failure shows the screen */
  until(what: string, look: () => boolean): Promise<void>
  dispose(): void
}

export interface QwenPlace {
  engine: RunningEngine
  tmux: TestTmux
  /** `pane`: registered as a tmux pane; `wrapped`: in Onward's own PTY; `hosted`: a terminal of the dashboard */
  how: 'pane' | 'wrapped' | 'hosted'
  args?: readonly string[]
  /** more of the person's environment */
  env?: Readonly<Record<string, string>>
}

const size = { cols: 120, rows: 40 }

export async function startQwen({ engine, tmux, how, args = [], env: more = {} }: QwenPlace): Promise<Qwen> {
  const cwd = join(projectsOf(engine.home), 'work')
  mkdirSync(cwd, { recursive: true })
  const env = { ...qwenHome(join(engine.home, 'qwen-home')), ...more }
  if (how === 'hosted') {
    const { id } = await engine.control.api.openTerminal.mutate({ client: 'qwen', cwd, env, args: [...args], ...size })
    const driver = hostedDriver(engine, id, size)
    return qwenAt(driver, cwd, () => driver.dispose())
  }
  const pane = tmux.session('work', 'bash --norc --noprofile', { cwd, env, ...size })
  const driver = tmuxDriver(tmux, pane)
  const unset = how === 'wrapped' ? 'env -u TMUX -u TMUX_PANE ' : ''
  const onward = `${process.execPath} ${onwardBin} qwen --home ${engine.home} --port ${engine.port}`
  driver.type(`PATH=${installAgents().bin}:$PATH ${unset}${onward} ${args.join(' ')}`)
  driver.press('Enter')
  return qwenAt(driver, cwd, () => undefined)
}

function qwenAt(driver: AgentDriver, cwd: string, dispose: () => void): Qwen {
  const until: Qwen['until'] = async (what, look) => {
    await waitFor(`${what} in Qwen Code`, look).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${driver.screen()}`)
    })
  }
  const shown = () => driver.screen().replace(/\s+/g, '')
  return {
    ...driver,
    cwd,
    until,
    dispose,
    async say(text) {
      await until('the composer', () => /^[>*] {2,3}Type your message|^[>*] /m.test(driver.screen()))
      driver.type(text)
      await until('the typed text', () => shown().includes(text.replace(/\s+/g, '').slice(-20)))
      // A person's pause: at once after the last key, Enter counts as part of a paste.
      await new Promise((resolve) => setTimeout(resolve, 300))
      driver.press('Enter')
    },
  }
}
