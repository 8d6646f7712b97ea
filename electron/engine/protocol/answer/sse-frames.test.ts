import { createParser } from 'eventsource-parser'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { frameBytes, type Frame } from './frame.ts'
import { sseFrames } from './sse-frames.ts'
import { runs } from '../../../../shared/testing/runs.ts'

interface Seen {
  name: string
  data: string
  truncated?: boolean
}

function split(chunks: readonly Uint8Array[], limit?: number): Seen[] {
  const seen: Seen[] = []
  const frames = sseFrames(({ name, data, truncated }) => {
    if (data) seen.push({ name, data: data.toString(), ...(truncated ? { truncated: true } : {}) })
  }, limit)
  for (const chunk of chunks) frames.push(chunk)
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
        // The other reader waits for what follows a CR at the very end, so it gets a line that changes nothing.
        expect(whole).toEqual(oracle(text.endsWith('\r') ? `${text}\n` : text))
      }),
      runs(3000),
    )
  })

  it('keeps no more of an event than the limit, says so, and goes on behind it', () => {
    const bytes = Buffer.from(`event: big\ndata: ${'x'.repeat(500)}\ndata: ${'y'.repeat(500)}\n\ndata: ok\n\n`)
    for (const size of [1, 7, 64]) {
      const chunks = Array.from({ length: Math.ceil(bytes.length / size) }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      )
      const [big, ok] = split(chunks, 100)
      expect(big).toMatchObject({ name: 'big', truncated: true })
      // the name and the field name count too
      expect(big?.data).toMatch(/^x{80,100}$/)
      expect(ok).toEqual({ name: '', data: 'ok' })
    }
  })
  it('keeps an event at the limit whole', () => {
    expect(split([Buffer.from(`data: ${'x'.repeat(94)}\n\n`)], 100)).toEqual([{ name: '', data: 'x'.repeat(94) }])
  })
  it('keeps no endless list of empty data lines', () => {
    const chunks = Array.from({ length: 1000 }, () => Buffer.from('data:\n'.repeat(100)))
    const [event] = split([...chunks, Buffer.from('\n')], 6400)
    expect(event).toEqual({ name: '', data: '\n'.repeat(99), truncated: true })
  })
  it('reads megabytes without a line end, in small pieces, without reading them again', () => {
    const seen: number[] = []
    const splitter = sseFrames((frame) => frame.data && seen.push(frame.data.length), 1000)
    splitter.push(Buffer.from('data: '))
    for (let i = 0; i < 200_000; i++) splitter.push(Buffer.from('xxxxxxxxxx'))
    splitter.push(Buffer.from('\n\n'))
    expect(seen).toEqual([994])
  })
})

function cutUp(text: string, at: readonly number[], limit?: number): { blocks: Frame[]; rest: string } {
  const blocks: Frame[] = []
  const splitter = sseFrames((block) => blocks.push(block), limit)
  const bytes = Buffer.from(text)
  const marks = [0, ...at.map((n) => n % (bytes.length + 1)).sort((a, b) => a - b), bytes.length]
  for (let i = 1; i < marks.length; i++) splitter.push(bytes.subarray(marks[i - 1], marks[i]))
  return { blocks, rest: splitter.rest().toString() }
}
const pieces = fc.constantFrom(
  'data: {"a":1}',
  'data:b',
  'event: e',
  ': comment',
  'id: 7',
  '\n',
  '\n',
  '\r\n',
  '\r',
  '\n\n',
  '世',
  '',
)

describe('events with their bytes', () => {
  it('tells name, data and bytes of each', () => {
    const { blocks, rest } = cutUp('event: a\ndata: 1\ndata: 2\n\n: hi\n\ndata: 3\r\n\r\ndata: 4', [])
    expect(blocks.map((b) => [b.raw.toString(), b.name, b.data?.toString() ?? null])).toEqual([
      ['event: a\ndata: 1\ndata: 2\n\n', 'a', '1\n2'],
      [': hi\n\n', '', null],
      ['data: 3\r\n\r\n', '', '3'],
    ])
    expect(rest).toBe('data: 4')
  })

  it('loses and changes no byte, and finds the same events under any chunk boundary', () => {
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), fc.array(fc.nat(), { maxLength: 12 }), (parts, at) => {
        const text = parts.join('')
        const { blocks, rest } = cutUp(text, at)
        expect(blocks.map((b) => b.raw.toString()).join('') + rest).toBe(text)
        const said = (found: Frame[]) => found.filter((b) => b.data).map((b) => [b.name, b.data?.toString()])
        expect(said(blocks)).toEqual(said(cutUp(text, []).blocks))
      }),
      runs(500),
    )
  })

  it('lets what is too large go by in pieces', () => {
    const { blocks, rest } = cutUp(`data: ${'x'.repeat(50)}\n\ndata: y\n\n`, [20, 40], 16)
    expect(blocks.map((b) => (b.truncated ? 'its beginning' : (b.data?.toString() ?? null)))).toEqual([
      null,
      null,
      'its beginning',
      'y',
    ])
    expect(blocks.map((b) => b.raw.toString()).join('') + rest).toBe(`data: ${'x'.repeat(50)}\n\ndata: y\n\n`)
  })
})

/** Collects the stream up to its last whole event. */
function wholeEvents(limit?: number) {
  const bytes = frameBytes()
  const frames = sseFrames((frame) => bytes.add(frame), limit)
  return {
    take(chunk: Buffer) {
      frames.push(chunk)
      return bytes.take()
    },
    rest: frames.rest,
  }
}

const splitUp = (text: string, cuts: readonly number[]): Buffer[] => {
  const bytes = Buffer.from(text)
  const at = [...new Set(cuts.map((c) => c % (bytes.length + 1)))].sort((a, b) => a - b)
  return [0, ...at].map((from, i) => bytes.subarray(from, at[i] ?? bytes.length))
}

describe('wholeEvents', () => {
  for (const [name, end] of [
    ['LF', '\n'],
    ['CRLF', '\r\n'],
    ['CR', '\r'],
  ] as const) {
    it(`gives back every byte, cut only behind events, under any chunk boundary (${name})`, () => {
      fc.assert(
        fc.property(
          fc.array(fc.stringMatching(/^[a-zé ]{1,12}$/), { minLength: 1, maxLength: 6 }),
          fc.array(fc.nat(400), { maxLength: 20 }),
          (datas, cuts) => {
            const text = datas.map((d) => `data: ${d}${end}${end}`).join('')
            const events = wholeEvents()
            let out = Buffer.alloc(0)
            for (const chunk of splitUp(text, cuts)) {
              out = Buffer.concat([out, events.take(chunk)])
              const sent = out.toString()
              expect(sent === '' || sent.endsWith(end + end) || (end === '\r\n' && sent.endsWith('\r\n\r'))).toBe(true)
            }
            expect(Buffer.concat([out, events.rest()]).toString()).toBe(text)
            expect(out.toString()).toBe(text)
          },
        ),
        runs(100),
      )
    })
  }

  it('hands a chunk of whole events on without a copy', () => {
    const chunk = Buffer.from('data: a\n\ndata: b\n\n')
    expect(wholeEvents().take(chunk)).toBe(chunk)
  })

  it('passes comment lines between events at once, and keeps them inside one', () => {
    const events = wholeEvents()
    const take = (text: string) => events.take(Buffer.from(text)).toString()
    expect(take(':\n')).toBe(':\n')
    expect(take(': a\n: b\n')).toBe(': a\n: b\n')
    expect(take('data: 1\n\n: c\n')).toBe('data: 1\n\n: c\n')
    expect(take('data: 2\n')).toBe('')
    expect(take(': d\n')).toBe('')
    expect(take('\n')).toBe('data: 2\n: d\n\n')
    expect(take(': e\ndata: 3\n')).toBe('')
    expect(take(': f')).toBe('')
    expect(events.rest().toString()).toBe(': e\ndata: 3\n: f')
  })

  it('passes an event above the limit on in pieces', () => {
    const events = wholeEvents(8)
    expect(events.take(Buffer.from('data: 0123')).toString()).toBe('data: 0123')
    expect(events.take(Buffer.from('4\n\n')).toString()).toBe('4\n\n')
  })
})
