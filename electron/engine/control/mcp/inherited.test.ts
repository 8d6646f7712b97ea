import { describe, expect, it } from 'vitest'
import { inherited, type ReadProc } from './inherited.ts'

const key = (letter: string) => `owk_${letter.repeat(32)}`
/** processes by pid: parent, environment */
const proc =
  (processes: Readonly<Record<number, readonly [ppid: number, environ: string | null]>>): ReadProc =>
  async (path) => {
    const [, pid, file] = /^\/proc\/(\d+)\/(stat|environ)$/.exec(path) ?? []
    const found = processes[Number(pid)]
    return found ? (file === 'stat' ? `${pid} (a) b) S ${found[0]} 1 1 0 -1 0` : found[1]) : null
  }

describe('what a program inherited', () => {
  it('is the key that its own environment has, in whatever variable', async () => {
    const env = { ANTHROPIC_BASE_URL: `http://127.0.0.1:5520/t/${key('a')}`, PATH: '/bin', NONE: undefined }
    expect(await inherited({ env, ppid: 1 }, proc({}))).toEqual({ keys: [key('a')], pids: [] })
  })
  it('is what its ancestors were started with, where the one above it handed nothing on', async () => {
    const read = proc({
      30: [20, 'PATH=/bin\0'],
      20: [10, `ONWARD_KEY=${key('b')}\0HOME=/root`],
      10: [1, `OUTER=${key('c')}\0`],
    })
    expect(await inherited({ env: {}, ppid: 30 }, read)).toEqual({ keys: [key('b'), key('c')], pids: [30, 20, 10] })
  })
  it('ends where a process is gone, another user’s, or its own ancestor', async () => {
    expect(await inherited({ env: {}, ppid: 30 }, proc({ 30: [20, null] }))).toEqual({ keys: [], pids: [30, 20] })
    expect((await inherited({ env: {}, ppid: 3 }, proc({ 3: [4, ''], 4: [3, ''] }))).pids).toEqual([3, 4])
  })
  it('is nothing of what only looks like a key', async () => {
    expect((await inherited({ env: { A: 'owk_short', B: 'sk-ant' }, ppid: 1 }, proc({}))).keys).toEqual([])
  })
})
