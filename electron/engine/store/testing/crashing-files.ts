import type { Files } from '../types.ts'
import { memoryFiles } from './memory-files.ts'

/** The fate of one step on the disk: after a refusal a part or all of it may be there all the same. */
export type Fate = 'done' | 'nothing' | 'half' | 'all'

export interface CrashingFiles extends Files {
  readonly content: Map<string, string>
  /** the next steps' fates, one by one; later steps are done. After a crash no step is done, and none is answered */
  fates: Fate[]
  crashAt: number | null
  readonly crashed: boolean
  /** resolves at the crash */
  readonly crash: Promise<void>
}

/** A disk in memory that refuses some steps, and loses its power in the middle of one. */
export function crashingFiles(content: ReadonlyMap<string, string> = new Map()): CrashingFiles {
  const inner = memoryFiles()
  for (const [path, text] of content) inner.content.set(path, text)
  let step = 0
  let crashed = false
  const never = new Promise<never>(() => {})
  let tell: () => void = () => {}
  const crash = new Promise<void>((resolve) => {
    tell = resolve
  })
  const act = async (change: () => Promise<void>, half: () => Promise<void>) => {
    if (crashed) return never
    const fate = files.fates.shift() ?? 'done'
    crashed = step++ === files.crashAt
    if (fate === 'done' || fate === 'all') await change()
    else if (fate === 'half') await half()
    if (crashed) {
      tell()
      return never
    }
    if (fate !== 'done') throw Object.assign(new Error('EIO'), { code: 'EIO' })
  }
  const none = async () => {}
  const files: CrashingFiles = {
    ...inner,
    fates: [],
    crashAt: null,
    crash,
    get crashed() {
      return crashed
    },
    writeAtomic: (path, data) => act(() => inner.writeAtomic(path, data), none),
    append: (path, data) =>
      act(
        () => inner.append(path, data),
        () => inner.append(path, data.slice(0, data.length / 2)),
      ),
    remove: (path) => act(() => inner.remove(path), none),
    rename: (from, to) => act(() => inner.rename(from, to), none),
  }
  return files
}
