import { memoryFiles } from '../../store/testing/memory-files.ts'
import type { ConfigFiles } from '../types.ts'

/** A config's files in memory, for tests that are not about the disk. What is put in by hand counts as replaced. */
export interface MemoryConfigFiles extends ConfigFiles {
  put(path: string, text: string): void
}

export function memoryConfigFiles(): MemoryConfigFiles {
  const files = memoryFiles()
  const written = new Map<string, number>()
  const put = (path: string, text: string) => {
    files.content.set(path, text)
    written.set(path, (written.get(path) ?? 0) + 1)
  }
  return {
    put,
    read: files.read,
    write: async (path, text) => put(path, text),
    remove: files.remove,
    async keep(path, as) {
      const text = files.content.get(path)
      if (text === undefined || files.content.has(as)) return false
      put(as, text)
      return true
    },
    stamp: async (path) => (files.content.has(path) ? `${written.get(path)}` : null),
    leadsNowhere: async () => false,
    watch: () => ({ dispose() {} }),
  }
}
