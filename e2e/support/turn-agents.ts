import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Scope } from '../../shared/words.ts'
import { onwardBin, type RunningEngine } from './engine-process.ts'
import type { TestTmux } from './tmux.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'

const program = resolve(import.meta.dirname, 'turn-agent.mjs')

/** Where a terminal can live. */
export const homes = ['pane', 'wrapped', 'hosted'] as const
export type TerminalHome = (typeof homes)[number]

/** One line of what the agent itself wrote down (turn-agent.mjs). */
export type AgentNote =
  | { type: 'start'; at: number; pid: number }
  | { type: 'read'; at: number; text: string }
  | { type: 'composer'; at: number; text: string }
  | { type: 'submit'; at: number; text: string }
  | { type: 'ask'; at: number; n: number; attempt: number }
  | { type: 'call'; at: number; name: string }
  | { type: 'failed'; at: number; n: number; attempt: number; why: string }
  | { type: 'gave-up'; at: number; n: number }
  | { type: 'answer'; at: number; n: number; answer: string }

/** turn-agent.mjs in a terminal of one of the three homes. */
export interface TurnAgent {
  home: TerminalHome
  /** of its conversation */
  session: string
  terminalId: string
  scope: Scope
  pid: number
  logFile: string
  /** where it works */
  cwd: string
  notes(): readonly AgentNote[]
  submits(): readonly string[]
  /** everything it ever read, as it came */
  read(): string
  /** what stands in its composer now */
  composer(): string
  /** every message it was given is answered, or given up */
  idle(): boolean
  alive(): boolean
  /** keys as a person presses them */
  press(engine: RunningEngine, keys: string): Promise<void>
  say(engine: RunningEngine, text: string): Promise<void>
  /** what was said to it that way */
  readonly ownWords: readonly string[]
  screen(): string
  /** ends it */
  end(): void
}

export interface TurnAgentPlace {
  home: TerminalHome
  engine: RunningEngine
  tmux: TestTmux
  /** part of its folder and conversation, unique per test */
  name: string
  thinkMs?: number
  /** refusals after which it gives a turn up; without it never */
  patience?: number
  /** it declares a tool of its own, `look` */
  tools?: boolean
  /** the conversation and the folder of this one go on */
  after?: Pick<TurnAgent, 'session' | 'cwd' | 'logFile'>
  /** the home the launcher looks for the engine in, where that is not the engine's own */
  launchHome?: string
  launchPort?: number
}

export async function startTurnAgent({
  home,
  engine,
  tmux,
  name,
  thinkMs = 0,
  patience,
  tools = false,
  after,
  launchHome = engine.home,
  launchPort = engine.port,
}: TurnAgentPlace): Promise<TurnAgent> {
  const folder = mkdtempSync(join(tmpdir(), 'onward-agent-'))
  const logFile = join(folder, 'log.jsonl')
  const title = `${name}-${home}`
  const session = after?.session ?? title
  const args = [
    '--log',
    logFile,
    '--session',
    session,
    '--think-ms',
    String(thinkMs),
    ...(patience === undefined ? [] : ['--patience', String(patience)]),
    ...(tools ? ['--tools'] : []),
    ...(after ? ['--resume', after.logFile] : []),
  ]
  const cwd = after?.cwd ?? join(folder, 'project')
  mkdirSync(cwd, { recursive: true })
  let pane: string | null = null
  if (home === 'hosted')
    await engine.control.api.openTerminal.mutate({
      client: 'other',
      args: [process.execPath, program, ...args],
      cwd,
      name: title,
    })
  else {
    // What a pane shows is known of real clients only, so there it goes by Codex's name and looks.
    const bin = join(folder, 'bin')
    mkdirSync(bin)
    symlinkSync(program, join(bin, 'codex'))
    const place = `--home ${launchHome} --port ${launchPort} --name ${title}`
    const onward = `${process.execPath} ${onwardBin}`
    const command =
      home === 'pane'
        ? `PATH=${bin}:$PATH exec ${onward} codex ${place} ${args.join(' ')}`
        : `exec env -u TMUX -u TMUX_PANE ${onward} run ${place} -- ${process.execPath} ${program} ${args.join(' ')}`
    pane = tmux.session(title, `bash --norc --noprofile -c '${command}'`, { cwd })
  }

  const notes = noteReader(logFile)
  const last = <T extends AgentNote['type']>(type: T) =>
    notes().findLast((n): n is Extract<AgentNote, { type: T }> => n.type === type)
  const start = await waitFor(`the ${home} agent`, () => last('start')).catch((error: unknown) => {
    throw new Error(`${String(error)}\n${pane ? tmux.screen(pane) : ''}`)
  })
  const terminal = await waitFor('its terminal', async () =>
    (await engine.control.api.terminals.query()).find((t) => t.name === title),
  )
  const alive = (): boolean => existsSync(`/proc/${start.pid}`)

  const ownWords: string[] = []
  const agent: TurnAgent = {
    ownWords,
    home,
    session,
    logFile,
    cwd,
    notes,
    alive,
    terminalId: terminal.id,
    scope: terminal.scope,
    pid: start.pid,
    submits: () =>
      notes()
        .filter((n) => n.type === 'submit')
        .map((n) => n.text),
    read: () =>
      notes()
        .filter((n) => n.type === 'read')
        .map((n) => n.text)
        .join(''),
    composer: () => last('composer')?.text ?? '',
    idle: () =>
      notes().filter((n) => n.type === 'submit').length ===
      notes().filter((n) => n.type === 'answer' || n.type === 'gave-up').length,
    async press(at, keys) {
      if (pane === null) {
        // refused until its host is connected again
        await waitFor('the hosted terminal', () =>
          at.control.api.writeTerminal.mutate({ terminalId: terminal.id, data: keys }).then(
            () => true,
            () => false,
          ),
        )
      } else tmux.run('send-keys', '-t', pane, '-H', ...Array.from(Buffer.from(keys), (byte) => byte.toString(16)))
    },
    async say(at, text) {
      ownWords.push(text)
      await agent.press(at, text)
      await waitFor('the typed text', () => agent.composer().endsWith(text.slice(-10)))
      const before = agent.submits().length
      await agent.press(at, '\r')
      await waitFor('the submitted text', () => agent.submits().length > before)
    },
    screen: () => (pane === null ? '' : tmux.screen(pane)),
    end() {
      // first the process that hosts it: it waits a minute for the next terminal
      for (const pid of [...(home === 'hosted' && alive() ? [parentOf(start.pid)] : []), start.pid])
        if (existsSync(`/proc/${pid}`)) process.kill(pid, 'SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    },
  }
  return agent
}

/** The process that holds the agent's PTY. */
function parentOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8')
  return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[1])
}

/** Reads only what was added since the last look. */
function noteReader(file: string): () => readonly AgentNote[] {
  const notes: AgentNote[] = []
  let seen = 0
  return () => {
    if (!existsSync(file)) return notes
    const text = readFileSync(file)
    const end = text.lastIndexOf(10) + 1
    for (const line of text.subarray(seen, end).toString('utf8').split('\n'))
      if (line !== '') notes.push(JSON.parse(line) as AgentNote)
    seen = end
    return notes
  }
}
