import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { installAgents } from '../agents.ts'
import { onwardBin, projectsOf, type RunningEngine } from '../engine-process.ts'
import { hostedDriver } from '../hosted-agent-driver.ts'
import { lastRow, tmuxDriver, type AgentDriver } from '../agent-driver.ts'
import type { TestTmux } from '../tmux.ts'
import { waitFor } from '../../../shared/testing/wait-for.ts'
import type { RealAgent } from './types.ts'

/** `pane`: registered as a tmux pane; `wrapped`: in Onward's own PTY; `hosted`: a terminal of the dashboard. */
export const places = ['pane', 'wrapped', 'hosted'] as const
export type PlaceKind = (typeof places)[number]

const projects = ['work', 'first', 'second', 'third', 'fourth', 'fifth', 'sixth', 'seventh', 'eighth'] as const
export type Project = (typeof projects)[number]

export interface AgentPlace {
  engine: RunningEngine
  /** for all but `hosted` */
  tmux?: TestTmux
  how: PlaceKind
  /** of its folder and its tmux session */
  name: Project
  /** more arguments to the agent */
  args?: readonly string[]
}

/** A person at a real, unmodified agent. */
export interface Person extends AgentDriver {
  cwd: string
  /** waits for the composer, types a line and sends it */
  say(text: string): Promise<void>
  /** types a line and leaves it */
  draft(text: string): Promise<void>
  /** waits until the composer shows and nothing runs */
  ready(): Promise<void>
  shows(text: string | RegExp): Promise<void>
  /** waits for anything else; a failure shows the screen */
  until(what: string, look: () => boolean, limitMs?: number): Promise<void>
  atShell(): boolean
  /** another engine has taken the first one's place */
  follow(engine: RunningEngine): void
  dispose(): void
}

const size = { cols: 120, rows: 40 }
/** At once after the last key, Enter counts as part of a paste; between two presses, people look what came of it. */
const PERSON_PAUSE_MS = 500
/** On a busy machine an agent takes minutes from its start to its first request. */
const PATIENT_MS = 240_000

export async function startAgent(agent: RealAgent, place: AgentPlace): Promise<Person> {
  const { engine, tmux, how, name, args = [] } = place
  const folders = projects.map((project) => join(projectsOf(engine.home), project))
  for (const folder of folders) mkdirSync(folder, { recursive: true })
  const cwd = join(projectsOf(engine.home), name)
  // One person: all they start share a home.
  const home = join(engine.home, 'agent-home')
  const env = { ...agent.seedHome(home, folders), ...agent.ownOfStart?.(home, name) }
  const argv = [...agent.args, ...args]
  if (how === 'hosted') {
    const { client } = agent
    const { id } = await engine.control.api.openTerminal.mutate({ client, cwd, env, args: argv, ...size })
    let driver = hostedDriver(engine, id, size)
    return personAt(agent, cwd, {
      screen: () => driver.screen(),
      type: (text) => driver.type(text),
      press: (...keys) => driver.press(...keys),
      follow(next) {
        driver.dispose()
        driver = hostedDriver(next, id, size)
      },
      dispose: () => driver.dispose(),
    })
  }
  if (!tmux) throw new Error(`${how} needs a tmux`)
  const pane = tmux.session(name, 'bash --norc --noprofile', { cwd, env, ...size })
  const driver = tmuxDriver(tmux, pane)
  const unset = how === 'wrapped' ? 'env -u TMUX -u TMUX_PANE ' : ''
  const onward = `${process.execPath} ${onwardBin} ${agent.client} --home ${engine.home} --port ${engine.port}`
  // tmux takes PATH from its client whatever -e says, so it stands in the command.
  driver.type(`PATH=${installAgents().path}:$PATH ${unset}${onward} ${argv.join(' ')}`)
  driver.press('Enter')
  return personAt(agent, cwd, { ...driver, follow: () => undefined, dispose: () => undefined })
}

/** @param driver where the agent's screen is */
export function personAt(
  agent: RealAgent,
  cwd: string,
  driver: AgentDriver & Pick<Person, 'follow' | 'dispose'>,
): Person {
  const until: Person['until'] = async (what, look, limitMs = PATIENT_MS) => {
    await waitFor(`${what} in ${agent.name}`, look, limitMs).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${driver.screen()}`)
    })
  }
  const person: Person = {
    ...driver,
    cwd,
    until,
    atShell: () => /^bash-[\d.]+[#$]$/.test(lastRow(driver.screen())),
    ready: () => until('the composer', () => agent.isIdle(driver.screen())),
    async draft(text) {
      driver.type(text)
      await until('the typed text', () => plain(driver.screen()).includes(plain(text).slice(-20)))
    },
    async say(text) {
      await person.ready()
      await person.draft(text)
      await pause()
      driver.press('Enter')
    },
    shows: (text) =>
      until(String(text), () =>
        typeof text === 'string' ? driver.screen().includes(text) : text.test(driver.screen()),
      ),
  }
  return person
}

const plain = (text: string): string => text.replace(/\s+/g, '')
const pause = (): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, PERSON_PAUSE_MS)
  })
