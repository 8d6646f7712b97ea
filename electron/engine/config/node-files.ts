import { watch } from 'node:fs'
import { access, chmod, constants, copyFile, lstat, readFile, readlink, realpath, stat } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { systemCodeOf } from '../base/errors.ts'
import { diskFiles } from '../store/disk-files.ts'
import type { SecretFiles } from './secrets-file.ts'
import type { ConfigFiles } from './types.ts'

const orNull = <T>(error: unknown): T | null => {
  if (systemCodeOf(error) === 'ENOENT' || systemCodeOf(error) === 'ENOTDIR') return null
  throw error
}

/**
 * Where a path leads to in the end: a config kept elsewhere and linked here stays a link, also while its target is not
 * there.
 */
async function targetOf(path: string): Promise<string> {
  const whole = await realpath(path).catch(orNull<string>)
  if (whole !== null) return whole
  const step = await readlink(path).catch((error: unknown) =>
    systemCodeOf(error) === 'EINVAL' ? null : orNull<string>(error),
  )
  return step === null ? path : targetOf(resolve(dirname(path), step))
}

export function nodeConfigFiles(): ConfigFiles {
  const disk = diskFiles()
  return {
    read: (path) => readFile(path).catch(orNull<Buffer>),
    async write(path, text) {
      const target = await targetOf(path)
      const there = await stat(target).catch(orNull<Awaited<ReturnType<typeof stat>>>)
      // A new file takes the old one's place, so the old one would never be asked whether it may be written.
      if (there) await access(target, constants.W_OK)
      await disk.writeAtomic(target, text, ...(there ? [Number(there.mode) & 0o777] : []))
    },
    remove: async (path) => disk.remove(await targetOf(path)),
    async keep(path, as) {
      try {
        await copyFile(path, as, constants.COPYFILE_EXCL)
      } catch (error) {
        if (systemCodeOf(error) === 'EEXIST') return false
        throw error
      }
      await chmod(as, 0o600)
      return true
    },
    stamp: (path) =>
      stat(path, { bigint: true })
        .then((at) => `${at.mtimeNs} ${at.size} ${at.ino}`)
        .catch(orNull<string>),
    async leadsNowhere(path) {
      const there = await lstat(path).catch(orNull<Awaited<ReturnType<typeof lstat>>>)
      return there !== null && there.isSymbolicLink() && (await stat(path).catch(orNull)) === null
    },
    watch(folder, onChange, onFail) {
      // The folder, not the file: editors replace a file by renaming another over it, and a watch on the old one goes
      // deaf.
      const watcher = watch(folder, { persistent: false }, (_event, name) => onChange(name))
      watcher.on('error', onFail)
      return { dispose: () => watcher.close() }
    },
  }
}

export function nodeSecretFiles(): SecretFiles {
  const { read, writeAtomic, remove } = diskFiles()
  return {
    read,
    remove,
    writeAtomic: (path, data) => writeAtomic(path, data),
    async access(path) {
      const found = await stat(path).catch(orNull<Awaited<ReturnType<typeof stat>>>)
      // Windows has no such modes: who may read is inherited from the person's own folder.
      return (
        found && {
          open: process.platform !== 'win32' && (Number(found.mode) & 0o077) !== 0,
          ours: process.getuid?.() === Number(found.uid),
        }
      )
    },
    close: (path) => chmod(path, 0o600),
  }
}
