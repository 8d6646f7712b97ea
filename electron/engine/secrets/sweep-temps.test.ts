import { describe, expect, it } from 'vitest'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { sweepTemps } from './sweep-temps.ts'

const now = 10_000_000
const clock = { now: () => now }
/** A machine that has run for an hour; 12 and 13 are processes of it. */
const processes = { alive: (pid: number) => pid === 12 || pid === 13, uptime: () => 3_600_000 }

function scene(names: readonly string[], age: (name: string) => number | null = () => 0) {
  const files = memoryFiles()
  for (const name of names) files.content.set(`/home/${name}`, 'sk-1')
  const modifiedAt = async (path: string) => {
    const old = age(path.slice('/home/'.length))
    return old === null ? null : now - old
  }
  return { ...files, modifiedAt, left: () => [...files.content.keys()] }
}

describe('temporary files beside the config', () => {
  it('of killed processes go, of those that live stay, and nothing else is touched', async () => {
    const own = `.onward-${process.pid}-1.tmp`
    const files = scene(['.onward-11-1.tmp', '.onward-12-7.tmp', own, '.onward-x.tmp', 'a.tmp'])
    files.content.set('/home/desktop/.onward-11-1.tmp', 'of somebody else')
    await sweepTemps('/home', files, clock, processes)
    expect(files.left()).toEqual([
      '/home/.onward-12-7.tmp',
      '/home/.onward-x.tmp',
      '/home/a.tmp',
      '/home/desktop/.onward-11-1.tmp',
    ])
  })

  it('go also where another process has got the number of the killed one since', async () => {
    const files = scene(['.onward-12-1.tmp', '.onward-13-1.tmp'], (name) => (name.includes('12') ? 600_000 : 599_000))
    await sweepTemps('/home', files, clock, processes)
    expect(files.left()).toEqual(['/home/.onward-13-1.tmp'])
  })

  it('go where the machine was started since', async () => {
    const files = scene(['.onward-12-1.tmp'], () => 60_000)
    await sweepTemps('/home', files, clock, { ...processes, uptime: () => 30_000 })
    expect(files.left()).toEqual([])
  })

  it('stay with a process of their number where their age is not known', async () => {
    const files = scene(['.onward-12-1.tmp'], () => null)
    await sweepTemps('/home', files, clock, processes)
    expect(files.left()).toEqual(['/home/.onward-12-1.tmp'])
  })

  it('that can’t be removed keep none of the others from it', async () => {
    const files = scene(['.onward-10-1.tmp', '.onward-11-1.tmp'])
    const remove = async (path: string) => {
      if (path.includes('-10-')) throw new Error('it is stuck')
      files.content.delete(path)
    }
    await expect(sweepTemps('/home', { ...files, remove }, clock, processes)).rejects.toThrow('it is stuck')
    expect(files.left()).toEqual(['/home/.onward-10-1.tmp'])
  })
})
