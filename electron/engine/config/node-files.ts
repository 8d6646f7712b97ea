import { watch } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { systemCodeOf } from '../base/errors.ts'
import type { ConfigFiles } from './types.ts'

const orNull = <T>(error: unknown): T | null => {
  if (systemCodeOf(error) === 'ENOENT' || systemCodeOf(error) === 'ENOTDIR') return null
  throw error
}

export function nodeConfigFiles(): ConfigFiles {
  return {
    read: (path) => readFile(path).catch(orNull<Buffer>),
    stamp: (path) => stat(path, { bigint: true }).then((at) => `${at.mtimeNs} ${at.size} ${at.ino}`).catch(orNull<string>),
    watch(folder, onChange, onFail) {
      // The folder, not the file: editors replace a file by renaming another over it, and a watch on the old one goes deaf.
      const watcher = watch(folder, { persistent: false }, (_event, name) => onChange(name))
      watcher.on('error', onFail)
      return { dispose: () => watcher.close() }
    },
  }
}
