import { describe, expect, it } from 'vitest'
import { sharedSync, syncFolder } from './sync-folder.ts'
import { tempFolders } from './testing/temp-folder.ts'

const temp = tempFolders()

describe('syncFolder', () => {
  it('syncs a folder, and fails for one that is not there', async () => {
    const folder = temp()
    await syncFolder(folder)
    await expect(syncFolder(`${folder}/none`)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('does nothing on Windows, which has no handle for it', async () => {
    await expect(syncFolder('/nowhere', 'win32')).resolves.toBeUndefined()
  })
})

describe('a sync that is shared', () => {
  /** syncs that end when the test ends them */
  function disk() {
    const running: { folder: string; end(error?: Error): void }[] = []
    const sync = sharedSync(
      (folder) =>
        new Promise<void>((done, fail) => running.push({ folder, end: (error) => (error ? fail(error) : done()) })),
    )
    return { running, sync }
  }
  const settled = () => new Promise((next) => setImmediate(next))

  it('is one for all who ask while another runs, and begins after they asked', async () => {
    const { running, sync } = disk()
    const first = sync('/a')
    const others = [sync('/a'), sync('/a'), sync('/a')]
    expect(running).toHaveLength(1)
    running[0]?.end()
    await first
    await settled()
    expect(running).toHaveLength(2)
    const late = sync('/a')
    running[1]?.end()
    await Promise.all(others)
    await settled()
    expect(running).toHaveLength(3)
    running[2]?.end()
    await late
  })
  it('fails for those whom it was for, and for no others', async () => {
    const { running, sync } = disk()
    const first = sync('/a')
    const second = sync('/a')
    running[0]?.end(new Error('the disk is gone'))
    await expect(first).rejects.toThrow('the disk is gone')
    await settled()
    running[1]?.end()
    await expect(second).resolves.toBeUndefined()
  })
  it('is of one folder', () => {
    const { running, sync } = disk()
    void sync('/a')
    void sync('/b')
    expect(running.map(({ folder }) => folder)).toEqual(['/a', '/b'])
  })
})
