import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { LogPage } from '../../../../shared/log-page.ts'
import { systemCodeOf } from '../../base/errors.ts'

/** most that is read at once, from the end */
const MOST_BYTES = 512 * 1024
const NEWLINE = 10

/**
 * Reads the lines after `cursor`, the last `most` of them; without a cursor the end of the log. A log that was rotated
 * meanwhile is read from its beginning.
 */
export async function readLogPage(home: string, cursor: string | null, most: number): Promise<LogPage> {
  const path = join(home, 'logs', 'engine.log')
  const file = await open(path).catch((error: unknown) => {
    if (systemCodeOf(error) === 'ENOENT') return null
    throw error
  })
  if (!file) return { path, lines: [], cursor: '', gap: false }
  try {
    const { size, ino } = await file.stat()
    const known = /^(\d+):(\d+)$/.exec(cursor ?? '')
    const same = known !== null && known[1] === String(ino) && Number(known[2]) <= size
    const begin = same ? Number(known[2]) : 0
    const from = Math.max(begin, size - MOST_BYTES)
    const bytes = Buffer.alloc(size - from)
    const { bytesRead } = await file.read(bytes, 0, bytes.length, from)
    const read = bytes.subarray(0, bytesRead)
    // A page begins and ends with a whole line.
    const start = from > begin ? read.indexOf(NEWLINE) + 1 : 0
    const end = read.lastIndexOf(NEWLINE) + 1
    const all = end > start ? read.toString('utf8', start, end - 1).split('\n') : []
    return {
      path,
      lines: all.slice(-most),
      cursor: `${ino}:${from + Math.max(end, start)}`,
      gap: from > begin || all.length > most,
    }
  } finally {
    await file.close()
  }
}
