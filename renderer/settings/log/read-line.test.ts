import { describe, expect, it } from 'vitest'
import { fits, readLine } from './read-line.ts'

describe('a line of the log', () => {
  it('is read as time, level, message and the rest', () =>
    expect(readLine('{"level":40,"time":5,"path":"/x","at":{"port":1},"msg":"Not good."}', 7)).toMatchObject({
      id: 7,
      at: 5,
      level: 'warn',
      message: 'Not good.',
      facts: 'path /x  at {"port":1}',
    }))

  it.each(['not json', '[1]', '{"level":', 'null'])('is shown as it is where it is something else: %s', (raw) =>
    expect(readLine(raw, 1)).toMatchObject({ at: null, level: 'info', message: raw, facts: '' }),
  )

  it('fits by level, and by every word in any case', () => {
    const line = readLine('{"level":40,"time":5,"provider":"Anthropic","msg":"Limit reached"}', 1)
    expect([fits(line, 'info', ''), fits(line, 'warn', 'anthropic LIMIT'), fits(line, 'error', '')]).toEqual([
      true,
      true,
      false,
    ])
    expect(fits(line, 'debug', 'limit zai')).toBe(false)
  })
})
