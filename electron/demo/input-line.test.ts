import { describe, expect, it } from 'vitest'
import { createInputLine } from './input-line.ts'

const line = () => {
  const seen = { submitted: [] as string[], changed: '', quits: 0 }
  const input = createInputLine({
    changed: (text) => (seen.changed = text),
    submit: (text) => seen.submitted.push(text),
    quit: () => seen.quits++,
  })
  return { seen, take: input.take }
}

describe('the input line of the demo agent', () => {
  it('submits what was typed at Enter, and nothing where nothing was', () => {
    const { seen, take } = line()
    take('go on')
    expect(seen.changed).toBe('go on')
    take('\r\r')
    expect(seen).toMatchObject({ submitted: ['go on'], changed: '' })
  })

  it('takes back letters, whole characters of any script, and a line', () => {
    const { seen, take } = line()
    take('ab好\x7f\x7f')
    expect(seen.changed).toBe('a')
    take('\x15')
    expect(seen.changed).toBe('')
  })

  it('keeps the lines of a paste together, and passes over cursor keys', () => {
    const { seen, take } = line()
    take('\x1b[200~one\rtwo\x1b[201~\x1b[A\x1b[D')
    expect(seen.submitted).toEqual([])
    take('\r')
    expect(seen.submitted).toEqual(['one\ntwo'])
  })

  it('ends at Ctrl C', () => {
    const { seen, take } = line()
    take('x\x03')
    expect(seen.quits).toBe(1)
  })
})
