import { execFile } from 'node:child_process'
import { basename } from 'node:path'
import { promisify } from 'node:util'
import type { ProcessFact, ProcReader } from './proc-reader.ts'

const run = promisify(execFile)

/**
 * Asks `ps`. Arguments come joined by spaces there, so only the first words of a command line are to be trusted. Not
 * run on a Mac yet.
 */
export function macosProcReader(ask: (args: readonly string[]) => Promise<string> = askPs): ProcReader {
  const list = async (args: readonly string[]): Promise<ProcessFact[]> => {
    const text = await ask(['-ww', '-o', 'pid=,pgid=,tpgid=,stat=,command=', ...args])
    return text.split('\n').flatMap((line) => parseLine(line) ?? [])
  }
  return {
    process: async (pid) => (await list(['-p', String(pid)]))[0] ?? null,
    group: async (pgid) => (await list(['-ax'])).filter((one) => one.pgid === pgid),
  }
}

/** `ps` ends with 1 when nothing was found. */
async function askPs(args: readonly string[]): Promise<string> {
  try {
    return (await run('/bin/ps', args, { timeout: 5_000 })).stdout
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 1) return ''
    throw error
  }
}

export function parseLine(line: string): ProcessFact | null {
  const match = /^\s*(\d+)\s+(\d+)\s+(-?\d+)\s+(\S+)\s+(.+)$/.exec(line)
  if (!match) return null
  const [, pid, pgid, tpgid, state = '', command = ''] = match
  if (state.startsWith('Z')) return null
  const argv = command.split(' ')
  return {
    pid: Number(pid),
    pgid: Number(pgid),
    tpgid: Number(tpgid),
    name: basename(argv[0] ?? '').replace(/^-/, ''),
    argv,
  }
}
