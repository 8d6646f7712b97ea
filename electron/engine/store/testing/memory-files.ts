import { posix } from 'node:path'
import type { Files } from '../types.ts'

/** Files in memory, for tests that are not about the disk. `content` is what "the disk" holds. */
export interface MemoryFiles extends Files {
  readonly content: Map<string, string>
}

export function memoryFiles(): MemoryFiles {
  const content = new Map<string, string>()
  const missing = (path: string) => Object.assign(new Error(`ENOENT: no such file, ${path}`), { code: 'ENOENT' })
  return {
    content,
    async read(path) {
      const text = content.get(path)
      return text === undefined ? null : Buffer.from(text)
    },
    async writeAtomic(path, data) {
      content.set(path, data)
    },
    async append(path, data) {
      const text = typeof data === 'string' ? data : Buffer.from(data).toString()
      content.set(path, (content.get(path) ?? '') + text)
    },
    async remove(path) {
      content.delete(path)
    },
    async rename(from, to) {
      const text = content.get(from)
      if (text === undefined) throw missing(from)
      content.delete(from)
      content.set(to, text)
    },
    async list(folder) {
      const top = posix.join(folder, '/')
      return [
        ...new Set(
          [...content.keys()]
            .filter((path) => path.startsWith(top))
            .map((path) => path.slice(top.length).split('/')[0] ?? ''),
        ),
      ]
    },
    async makeFolder() {},
  }
}
