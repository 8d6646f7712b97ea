import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { runs } from '../../../shared/testing/runs.ts'
import { parseNote } from './engine-note.ts'

const shape = z.object({
  pid: z.number().int().positive(),
  host: z.string().min(1),
  port: z.number().int().min(1).max(65_535),
  socket: z.string().min(1),
  startedAt: z.number(),
  version: z.string(),
  service: z.boolean().optional(),
  start: z.string().nullable(),
})
const note = {
  pid: 7,
  host: '127.0.0.1',
  port: 4_040,
  socket: '/run/s',
  startedAt: 1.5,
  version: '1.0.0',
  service: true,
  start: null,
}

describe('the note of an engine', () => {
  it('is read as a validator of its shape would, whatever one member is', () => {
    const value = fc.oneof(
      fc.constantFrom(undefined, null, '', 'text', 0, -1, 1, 1.5, 65_535, 65_536, 2 ** 60, true, false, [], {}),
    )
    fc.assert(
      fc.property(fc.constantFrom(...Object.keys(note), 'other'), value, (name, is) => {
        const text = JSON.stringify({ ...note, [name]: is })
        expect(parseNote(text)).toEqual(shape.safeParse(JSON.parse(text)).data ?? null)
      }),
      runs(1_000),
    )
  })
  it.each(['', '{', '7', 'null', '[]', '"text"'])('is none where it says %j', (text) => {
    expect(parseNote(text)).toBeNull()
  })
  it('is none without a text', () => {
    expect(parseNote(null)).toBeNull()
  })
})
