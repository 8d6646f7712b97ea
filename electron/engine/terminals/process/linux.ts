import { access, readdir, readFile, readlink } from 'node:fs/promises'
import { systemCodeOf } from '../../base/errors.ts'
import type { AgentProgram, ProcessFact, ProcReader } from './proc-reader.ts'

/** Reads /proc (proc(5)). */
export function linuxProcReader(root = '/proc'): ProcReader {
  const unlessGone = async <T>(asked: Promise<T>): Promise<T | null> => {
    try {
      return await asked
    } catch (error) {
      // the process ended meanwhile, or is another user's
      if (['ENOENT', 'ESRCH', 'EACCES', 'EPERM'].includes(systemCodeOf(error) ?? '')) return null
      throw error
    }
  }
  const read = (file: string) => unlessGone(readFile(file, 'utf8'))
  const stat = async (pid: number) => {
    const text = await read(`${root}/${pid}/stat`)
    return text === null ? null : parseStat(text)
  }
  const full = async (pid: number, short: Stat): Promise<ProcessFact> => ({
    pid,
    ...short,
    argv: ((await read(`${root}/${pid}/cmdline`)) ?? '').split('\0').filter((part) => part !== ''),
  })

  return {
    async process(pid) {
      const short = await stat(pid)
      return short && full(pid, short)
    },
    async group(pgid) {
      const found: ProcessFact[] = []
      for (const name of await readdir(root)) {
        if (!/^\d+$/.test(name)) continue
        const short = await stat(Number(name))
        if (short?.pgid === pgid) found.push(await full(Number(name), short))
      }
      return found
    },
    async program(pid): Promise<AgentProgram | null> {
      const file = await unlessGone(readlink(`${root}/${pid}/exe`))
      const env = await read(`${root}/${pid}/environ`)
      if (file === null || env === null || (await unlessGone(access(file).then(() => true))) === null) return null
      const pairs = env.split('\0').flatMap((pair) => {
        const at = pair.indexOf('=')
        return at > 0 ? [[pair.slice(0, at), pair.slice(at + 1)] as const] : []
      })
      return { file, env: Object.fromEntries(pairs) }
    },
  }
}

type Stat = Pick<ProcessFact, 'name' | 'ppid' | 'pgid' | 'tpgid'>

/** `pid (name) state ppid pgrp session tty_nr tpgid …`; the name may hold spaces and parentheses. */
export function parseStat(text: string): Stat | null {
  const open = text.indexOf('(')
  const close = text.lastIndexOf(')')
  const fields = text.slice(close + 2).split(' ')
  // a zombie holds no terminal and answers nothing
  if (open < 0 || close < open || fields[0] === 'Z' || fields[0] === 'X') return null
  const [pgid, tpgid] = [Number(fields[2]), Number(fields[5])]
  return Number.isInteger(pgid) && Number.isInteger(tpgid)
    ? { name: text.slice(open + 1, close), ppid: Number(fields[1]), pgid, tpgid }
    : null
}
