import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, statfsSync, appendFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { waitFor } from '../../shared/testing/wait-for.ts'

/** A small disk of the test's own, which can be full and read-only without anybody else noticing. */
export interface OwnDisk {
  folder: string
  /** not one byte more goes on it */
  fill(): void
  free(): void
  readOnly(): Promise<void>
  writable(): void
  dispose(): Promise<void>
}

const mount = (...words: string[]) => spawnSync('mount', words, { encoding: 'utf8' })

/** Why there can be none here; null: there can. The mode of a folder does not do: to root it means nothing. */
export const noOwnDisk: string | null = tried()

function tried(): string | null {
  if (process.platform !== 'linux') return 'a disk of its own is made by mounting a tmpfs, which only Linux has'
  const folder = mkdtempSync(join(tmpdir(), 'onward-disk-'))
  try {
    const { status, stderr, error } = mount('-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder)
    if (status !== 0) return `no tmpfs may be mounted here: ${(error?.message ?? stderr).trim()}`
    execFileSync('umount', [folder])
    return null
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export function ownDisk(size = '4m'): OwnDisk {
  const folder = mkdtempSync(join(tmpdir(), 'onward-disk-'))
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', folder])
  const filler = join(folder, 'filler')
  return {
    folder,
    fill() {
      const { bsize } = statfsSync(folder)
      const block = Buffer.alloc(bsize, 1)
      // Whoever else writes here meanwhile takes a part of it: it is full when it says so.
      try {
        for (;;) appendFileSync(filler, block)
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
      }
    },
    free: () => rmSync(filler, { force: true }),
    // refused while a file is open for writing, which no file of the engine is for long
    async readOnly() {
      await waitFor('the disk to be read-only', () => mount('-o', 'remount,ro', folder).status === 0)
    },
    writable: () => {
      execFileSync('mount', ['-o', 'remount,rw', folder])
    },
    async dispose() {
      await waitFor('the disk to be let go', () => spawnSync('umount', [folder]).status === 0)
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
