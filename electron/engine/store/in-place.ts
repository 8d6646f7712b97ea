import { isAscii } from 'node:buffer'
import { closeSync, constants, fstatSync, lstatSync, openSync, readSync } from 'node:fs'
import { systemCodeOf } from '../base/errors.ts'
import type { Files } from './types.ts'

/** Without it, opening a pipe would wait for a writer. Windows has no such files. */
const flags = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0)

/** Reads small files in place, all with one buffer. */
export function inPlace(): Required<Pick<Files, 'readInPlace' | 'modifiedInPlace'>> {
  let memory: Buffer | null = null
  return {
    readInPlace: (path) =>
      orNull(() => {
        const file = openSync(path, flags)
        try {
          if (!fstatSync(file).isFile()) return undefined
          memory ??= Buffer.allocUnsafeSlow(65_536)
          const length = readSync(file, memory, 0, memory.length, 0)
          const found = memory.subarray(0, length)
          return length < memory.length && isAscii(found) ? found.toString('latin1') : undefined
        } finally {
          closeSync(file)
        }
      }),
    modifiedInPlace: (path) => orNull(() => lstatSync(path).mtimeMs),
  }
}

function orNull<T>(look: () => T): T | null {
  try {
    return look()
  } catch (error) {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  }
}
