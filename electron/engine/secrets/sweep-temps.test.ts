import { describe, expect, it } from 'vitest'
import { memoryFiles } from '../store/testing/memory-files.ts'
import { sweepTemps } from './sweep-temps.ts'

describe('temporary files beside the config', () => {
  it('of killed processes go, of those that live stay, and nothing else is touched', async () => {
    const files = memoryFiles()
    const names = ['.onward-11-1.tmp', '.onward-12-7.tmp', `.onward-${process.pid}-1.tmp`, '.onward-x.tmp', 'a.tmp']
    for (const name of names) files.content.set(`/home/${name}`, 'sk-1')
    files.content.set('/home/desktop/.onward-11-1.tmp', 'of somebody else')
    await sweepTemps('/home', files, (pid) => pid === 12)
    expect([...files.content.keys()]).toEqual([
      '/home/.onward-12-7.tmp',
      '/home/.onward-x.tmp',
      '/home/a.tmp',
      '/home/desktop/.onward-11-1.tmp',
    ])
  })
})
