import { describe, expect, it } from 'vitest'
import { syncFolder } from './sync-folder.ts'
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
