import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { systemCodeOf } from '../../base/errors.ts'

/** most that is read from the end */
const MOST_BYTES = 1024 * 1024

/** The last lines of the engine's log; none where there is no log yet. */
export async function readLogTail(home: string, lines: number): Promise<readonly string[]> {
  const file = await open(join(home, 'logs', 'engine.log')).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  })
  if (!file) return []
  try {
    const { size } = await file.stat()
    const from = Math.max(0, size - MOST_BYTES)
    const bytes = Buffer.alloc(size - from)
    await file.read(bytes, 0, bytes.length, from)
    const all = bytes
      .toString('utf8')
      .split('\n')
      .filter((line) => line !== '')
    return all.slice(from > 0 ? 1 : 0).slice(-lines)
  } finally {
    await file.close()
  }
}
