import { basename } from 'node:path'
import { clientKinds, type ClientKind } from '../../../../shared/words.ts'
import { agents } from '../agents/index.ts'
import type { ProcessFact, ProcReader } from './proc-reader.ts'

/** The program that reads the keys of a terminal. Only `agent` may be typed to. */
export type Foreground =
  | { kind: 'agent'; program: string; pgid: number }
  | { kind: 'shell'; program: string; pgid: number }
  | { kind: 'other'; program: string; pgid: number }
  | { kind: 'unknown' }

/** The mark of a terminal's agent: its name, or the process that was started for it. */
export interface ExpectedAgent {
  programs: readonly string[]
  programPaths: readonly RegExp[]
  /** process Onward started; counts as the agent as long as it has not turned into a shell */
  pid: number | null
}

const shells = new Set([
  'sh',
  'bash',
  'zsh',
  'fish',
  'dash',
  'ash',
  'ksh',
  'mksh',
  'tcsh',
  'csh',
  'nu',
  'elvish',
  'xonsh',
  'pwsh',
  'powershell',
  'cmd',
  'login',
  'su',
  'sudo',
])
const interpreters = new Set(['node', 'bun', 'deno', 'electron'])

/** A known client by the names of its facts; any other program by the command it was started with. */
export function expectedAgent(client: ClientKind, command: readonly string[], pid: number | null): ExpectedAgent {
  const { programs, programPaths } = agents[client]
  const [file] = command
  if (client !== 'other' || file === undefined) return { programs, programPaths, pid }
  const program = programName({ name: basename(file), argv: command })
  return { programs: shells.has(program) ? [] : [program], programPaths, pid }
}

/**
 * Looks from any process of a terminal (the pane's, or the PTY's child) at the group in its foreground. A launcher or
 * interpreter leads the group of the agent it runs, so every process of the group counts; the one found is remembered,
 * because going through all processes takes a while.
 */
export function foregroundFinder(
  reader: ProcReader | null,
  agent: ExpectedAgent,
): (terminalPid: number) => Promise<Foreground> {
  let known: { pid: number; pgid: number } | null = null
  return async (terminalPid) => {
    const holder = await reader?.process(terminalPid)
    if (!reader || !holder || holder.tpgid <= 0) return { kind: 'unknown' }
    const pgid = holder.tpgid
    if (known?.pgid === pgid) {
      const still = await reader.process(known.pid)
      if (still?.pgid === pgid && isNamed(still, agent)) return { kind: 'agent', program: programName(still), pgid }
    }
    // the oldest first, so that every reading names the same one of several
    const group = (await reader.group(pgid)).toSorted((a, b) => a.pid - b.pid)
    const named = group.find((one) => isNamed(one, agent))
    if (named) {
      known = { pid: named.pid, pgid }
      return { kind: 'agent', program: programName(named), pgid }
    }
    return unnamed(group, group.find((one) => one.pid === pgid) ?? group[0], agent)
  }
}

/** Finds the known client in front of a terminal that Onward did not open; null if there is none, or it is unknown. */
export async function clientInFront(
  reader: ProcReader | null,
  terminalPid: number,
): Promise<{ client: ClientKind; program: string } | null> {
  const holder = await reader?.process(terminalPid)
  if (!reader || !holder || holder.tpgid <= 0) return null
  const group = await reader.group(holder.tpgid)
  for (const client of clientKinds) {
    const found = group.find((one) => isNamed(one, expectedAgent(client, [], null)))
    if (found) return { client, program: programName(found) }
  }
  return null
}

function unnamed(group: readonly ProcessFact[], leader: ProcessFact | undefined, agent: ExpectedAgent): Foreground {
  if (!leader) return { kind: 'unknown' }
  const found = { program: programName(leader), pgid: leader.pgid }
  if (shells.has(leader.name.replace(/^-/, ''))) return { kind: 'shell', ...found }
  return { kind: agent.pid !== null && group.some((one) => one.pid === agent.pid) ? 'agent' : 'other', ...found }
}

const plainName = (path: string) =>
  basename(path)
    .replace(/\.(?:[cm]?js|ts|exe)$/, '')
    .replace(/^-/, '')

/** Returns a program's name as a person would say it: the script's, if an interpreter runs one. */
export function programName(process: Pick<ProcessFact, 'name' | 'argv'>): string {
  return plainName(scriptOf(process.argv) ?? process.argv[0] ?? process.name)
}

function scriptOf([first, ...rest]: readonly string[]): string | null {
  if (first === undefined || !interpreters.has(plainName(first))) return null
  return rest.find((part) => !part.startsWith('-')) ?? null
}

export function isNamed(process: ProcessFact, agent: ExpectedAgent): boolean {
  if (agent.programs.includes(process.name) || agent.programs.includes(programName(process))) return true
  // only a running file counts, not one that an editor has open
  const running = scriptOf(process.argv) ?? process.argv[0] ?? ''
  return agent.programPaths.some((path) => path.test(running))
}
