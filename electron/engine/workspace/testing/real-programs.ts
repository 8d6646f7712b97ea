import { readFile } from 'node:fs/promises'
import { systemClock, type Clock } from '../../base/clock.ts'
import { createRunProgram } from '../run-program.ts'
import type { RunProgram } from '../types.ts'

/** Real programs with this process's own PATH and nothing else of its environment. */
export const realPrograms = (clock: Clock = systemClock(), env: Readonly<Record<string, string>> = {}): RunProgram =>
  createRunProgram({ clock, env: async () => ({ PATH: process.env.PATH, HOME: process.env.HOME, ...env }) })

/** argv of a program that is given as its source. */
export const nodeProgram = (source: string): string[] => [process.execPath, '-e', source]

/** True if a process exists and is no zombie. */
export async function lives(pid: number): Promise<boolean> {
  try {
    process.kill(pid, 0)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ESRCH') return false
    throw error
  }
  // In a container whose first process does not reap them, the dead stay as zombies.
  const status = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return !/\) Z /.test(status)
}
