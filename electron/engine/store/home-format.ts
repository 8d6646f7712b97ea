/**
 * `<home>/format.json` holds the format of a home's files, so that an older Onward touches none that a newer one wrote.
 * The number goes up when an older one would misread, move aside or lose something; most versions leave it.
 */
import { join } from 'node:path'
import { z } from 'zod'
import { OnwardError } from '../base/errors.ts'
import type { Files } from './types.ts'

/**
 * 2: `journal.jsonl` may hold changes that a goal's file, or a long file of alarms, lacks (store/journal.ts). 3: files
 * of alarms are flat (store/envelope.ts)
 */
export const homeFormat = 3

const shape = z.object({ format: z.number().int().min(1), by: z.string() })

export const formatFile = (home: string): string => join(home, 'format.json')

/**
 * Call it with the home locked, before anything else in it is opened. A home without the file has the first format.
 * @throws OnwardError `home-newer`, or `home-format` when the file can't be understood
 */
export async function claimHomeFormat(options: {
  home: string
  files: Files
  /** of the running Onward */
  version: string
  known?: number
}): Promise<void> {
  const { home, files, version, known = homeFormat } = options
  const raw = await files.read(formatFile(home))
  const found = raw === null ? null : readFormat(home, raw)
  if (found && found.format > known)
    throw new OnwardError(
      'home-newer',
      `${home} was last used by a newer Onward (${found.by ?? 'its name is cut off'}, format ${found.format}; ` +
        `this one, ${version}, knows format ${known}). ` +
        'Nothing in it was opened. Update this Onward, or use another home.',
      { details: { home, format: found.format, by: found.by, known } },
    )
  if (found?.format === known && found.by !== null) return
  await files.writeAtomic(formatFile(home), `${JSON.stringify({ format: known, by: version })}\n`)
}

/** `by` is null where the file was cut off after its number, which is then taken alone. @throws `home-format` */
export function readFormat(home: string, raw: Buffer): { format: number; by: string | null } {
  try {
    return shape.parse(JSON.parse(raw.toString()))
  } catch (cause) {
    const [, number] = /^\{"format":([1-9]\d{0,8}),("(b(y("(:("[^"]*)?)?)?)?)?)?$/.exec(raw.toString()) ?? []
    if (number !== undefined) return { format: Number(number), by: null }
    throw new OnwardError(
      'home-format',
      `${formatFile(home)} is damaged, so nobody knows whether a ` +
        'newer Onward used this home. If none did, delete that file.',
      { cause },
    )
  }
}
