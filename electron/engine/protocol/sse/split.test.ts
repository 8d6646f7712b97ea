import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sseSplitter } from './split.ts'
import { runs } from '../../../../shared/testing/runs.ts'

interface Seen {
  name: string
  data: string
  truncated?: boolean
}

function split(chunks: readonly Uint8Array[], limit?: number): Seen[] {
  const seen: Seen[] = []
  const splitter = sseSplitter(
    (e) => seen.push({ name: e.name(), data: e.data.toString(), ...(e.truncated ? { truncated: true } : {}) }),
    limit,
  )
  for (const chunk of chunks) splitter.push(chunk)
  return seen
}
/** An independent reader of the same standard; it wants decoded text, where the BOM is gone. */
function oracle(text: string): Seen[] {
  const seen: Seen[] = []
  createParser({ onEvent: (e) => seen.push({ name: e.event ?? '', data: e.data }) }).feed(text.replace(/^\uFEFF/, ''))
  return seen
}
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const at = [...new Set(places.map((p) => p % (bytes.length + 1)))].sort((a, b) => a - b)
  return [...at, bytes.length].map((end, i) => bytes.subarray(i === 0 ? 0 : at[i - 1], end))
}

describe('splitting a stream into events', () => {
  it.each<[string, string, Seen[]]>([
    [
      'LF',
      'event: a\ndata: 1\n\ndata: 2\n\n',
      [
        { name: 'a', data: '1' },
        { name: '', data: '2' },
      ],
    ],
    [
      'CR LF',
      'event: a\r\ndata: 1\r\n\r\ndata: 2\r\n\r\n',
      [
        { name: 'a', data: '1' },
        { name: '', data: '2' },
      ],
    ],
    [
      'CR',
      'event: a\rdata: 1\r\rdata: 2\r\r',
      [
        { name: 'a', data: '1' },
        { name: '', data: '2' },
      ],
    ],
    [
      'mixed line ends',
      'event: a\r\ndata: 1\n\r\ndata: 2\r\n\n',
      [
        { name: 'a', data: '1' },
        { name: '', data: '2' },
      ],
    ],
    ['a BOM', '\uFEFFdata: 1\n\n', [{ name: '', data: '1' }]],
    ['several data lines', 'data: a\ndata:  b\ndata:\ndata: c\n\n', [{ name: '', data: 'a\n b\n\nc' }]],
    ['no space behind the colon', 'event:a\ndata:1\n\n', [{ name: 'a', data: '1' }]],
    ['a field without colon', 'data\n\n', [{ name: '', data: '' }]],
    [
      'comments, ids and unknown fields',
      ': hi\nid: 3\nretry: 5\ndataset: x\nevents: x\ndata: 1\n:\n\n',
      [{ name: '', data: '1' }],
    ],
    ['an event without data', 'event: ping\n\ndata: 1\n\n', [{ name: '', data: '1' }]],
    ['the last of several names', 'event: a\nevent: b\ndata: 1\n\n', [{ name: 'b', data: '1' }]],
    ['an unfinished event', 'data: 1\n\ndata: 2\n', [{ name: '', data: '1' }]],
    ['characters of several bytes', 'data: 中😀\n\n', [{ name: '', data: '中😀' }]],
    ['nothing', '', []],
  ])('understands %s', (_, text, expected) => {
    expect(split([Buffer.from(text)])).toEqual(expected)
    expect(split([...Buffer.from(text)].map((byte) => Uint8Array.of(byte)))).toEqual(expected)
  })

  it('agrees with another reader, however the bytes are cut', () => {
    const pieces = fc.array(
      fc.constantFrom(
        'data: ',
        'data:',
        'event: ',
        'data',
        'event',
        ':',
        ' ',
        '\n',
        '\n',
        '\n\n',
        '\r\n',
        '\r',
        '\r\n\r\n',
        'x',
        '{"a":1}',
        '中',
        '😀',
        'id: 1\n',
        ': c\n',
        '\uFEFF',
      ),
      { maxLength: 40 },
    )
    fc.assert(
      fc.property(pieces, fc.array(fc.nat(), { maxLength: 12 }), (parts, places) => {
        const text = parts.join('')
        const bytes = Buffer.from(text)
        const whole = split([bytes])
        expect(split(cut(bytes, places))).toEqual(whole)
        // The other reader waits for what follows a CR at the very end; give it something that changes nothing.
        expect(whole).toEqual(oracle(text.endsWith('\r') ? `${text}\n` : text))
      }),
      runs(3000),
    )
  })

  it('keeps no more of an event than the limit, says so, and goes on behind it', () => {
    const bytes = Buffer.from(`event: big\ndata: ${'x'.repeat(500)}\ndata: ${'y'.repeat(500)}\n\ndata: ok\n\n`)
    for (const size of [1, 7, 64, bytes.length]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      )
      const [big, ok] = split(chunks, 100)
      expect(big).toMatchObject({ name: 'big', truncated: true })
      expect(big?.data).toMatch(/^x{90,100}$/)
      expect(ok).toEqual({ name: '', data: 'ok' })
    }
  })
  it('keeps an event at the limit whole', () => {
    expect(split([Buffer.from(`data: ${'x'.repeat(94)}\n\n`)], 100)).toEqual([{ name: '', data: 'x'.repeat(94) }])
  })
  it('keeps no endless list of empty data lines', () => {
    const [event] = split([Buffer.from(`${'data:\n'.repeat(100_000)}\n`)], 6400)
    expect(event).toEqual({ name: '', data: '\n'.repeat(99), truncated: true })
  })
  it('reads megabytes without a line end, in small pieces, without reading them again', () => {
    const seen: number[] = []
    const splitter = sseSplitter((e) => seen.push(e.data.length), 1000)
    splitter.push(Buffer.from('data: '))
    for (let i = 0; i < 200_000; i++) splitter.push(Buffer.from('xxxxxxxxxx'))
    splitter.push(Buffer.from('\n\n'))
    expect(seen).toEqual([994])
  })
})
