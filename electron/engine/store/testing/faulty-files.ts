import type { Files } from '../types.ts'

export type FileStep = keyof Files

/** Files whose steps fail on request, as those of a full or read-only disk would. */
export interface FaultyFiles extends Files {
  /** every step of these kinds fails with the system code until `mend` */
  fail(code: string, ...steps: FileStep[]): void
  mend(): void
  /** holds the next writes until the returned function is called */
  hold(): () => void
  readonly writes: readonly { path: string; data: string }[]
}

export function faultyFiles(inner: Files): FaultyFiles {
  const failing = new Map<FileStep, string>()
  const writes: { path: string; data: string }[] = []
  let gate: Promise<void> = Promise.resolve()
  const check = (step: FileStep, path: string) => {
    const code = failing.get(step)
    if (code) throw Object.assign(new Error(`${code}: ${step} ${path}`), { code })
  }
  return {
    writes,
    fail(code, ...steps) {
      for (const step of steps) failing.set(step, code)
    },
    mend() {
      failing.clear()
    },
    hold() {
      let open: () => void = () => undefined
      gate = new Promise((resolve) => {
        open = resolve
      })
      return () => open()
    },
    async read(path) {
      check('read', path)
      return inner.read(path)
    },
    async writeAtomic(path, data) {
      writes.push({ path, data })
      await gate
      check('writeAtomic', path)
      return inner.writeAtomic(path, data)
    },
    async append(path, data, how) {
      check('append', path)
      return inner.append(path, data, how)
    },
    async remove(path) {
      check('remove', path)
      return inner.remove(path)
    },
    async rename(from, to) {
      check('rename', from)
      return inner.rename(from, to)
    },
    async list(folder) {
      check('list', folder)
      return inner.list(folder)
    },
    async makeFolder(path) {
      check('makeFolder', path)
      return inner.makeFolder(path)
    },
    async modifiedAt(path) {
      check('modifiedAt', path)
      return (await inner.modifiedAt?.(path)) ?? null
    },
  }
}
