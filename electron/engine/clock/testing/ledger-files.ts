import { posix } from 'node:path'
import { OnwardError } from '../../base/errors.ts'
import type { Files } from '../../store/types.ts'
import type { Disk, MemoryStore } from '../../terminals/outbox/testing/memory-store.ts'

/** Plain files on the same disk as the store's documents: they fail and die with it. */
export function ledgerFiles(disk: Disk, store: MemoryStore, root: string): Files {
  const nameOf = (path: string) => posix.relative(root, path)
  const never = () => new Promise<never>(() => {})
  const act = async (path: string, apply: (name: string) => void): Promise<void> => {
    const name = nameOf(path)
    if (store.crashed) return never()
    disk.writes++
    const fate = disk.fate(name)
    await Promise.resolve()
    if (store.crashed) return never()
    if (fate === 'ok' || fate === 'fail-after' || fate === 'crash-after') apply(name)
    if (fate === 'crash' || fate === 'crash-after') {
      store.crash()
      return never()
    }
    if (fate !== 'ok') throw new OnwardError('store-failed', `The disk refused ${name}.`)
  }
  const unused = (): never => {
    throw new Error('the ledgers do not do this')
  }
  return {
    async read(path) {
      if (disk.fate(`read ${nameOf(path)}`) !== 'ok')
        throw new OnwardError('store-failed', `The disk does not give ${nameOf(path)}.`)
      const text = disk.files.get(nameOf(path))
      return text === undefined ? null : Buffer.from(text)
    },
    writeAtomic: (path, data) => act(path, (name) => disk.files.set(name, data)),
    append: (path, data) => act(path, (name) => disk.files.set(name, (disk.files.get(name) ?? '') + data)),
    remove: unused,
    rename: unused,
    list: unused,
    makeFolder: unused,
  }
}
