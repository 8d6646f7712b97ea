import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { wholeEvents } from './whole-events.ts'
import { runs } from '../../../../shared/testing/runs.ts'

const split = (text: string, cuts: readonly number[]): Buffer[] => {
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
            for (const chunk of split(text, cuts)) {
              out = Buffer.concat([out, events.take(chunk)])
              const sent = out.toString()
              expect(sent === '' || sent.endsWith(end + end) || (end === '\r\n' && sent.endsWith('\r\n\r\n'))).toBe(
                true,
              )
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
