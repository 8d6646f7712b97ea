import { describe, expect, it } from 'vitest'
import { compressor, encodingFor } from './compressed.ts'

describe('the encoding of a body', () => {
  it.each([
    [undefined, null],
    ['', null],
    ['identity', null],
    ['gzip', 'gzip'],
    ['gzip, deflate', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['BR;Q=0.5, gzip;q=0.8', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['br;q=0, gzip;q=0', null],
    ['*', 'br'],
    ['*;q=0', null],
    ['br;q=nonsense', null],
  ])('%s: %s', (accepted, encoding) => expect(encodingFor(accepted)).toBe(encoding))
})

describe('compressed bodies', () => {
  const counted = () => {
    const made: string[] = []
    const run = async (data: Buffer) => {
      made.push(data.toString())
      if (data.toString() === 'bad') throw new Error('no memory')
      return data
    }
    return { made, run: { br: run, gzip: run } }
  }
  const body = (text: string) => Buffer.from(text)

  it('are made once, also for those who ask at the same time', async () => {
    const { made, run } = counted()
    const compressed = compressor(100, run)
    await Promise.all([compressed('h1', body('one'), 'br'), compressed('h1', body('one'), 'br')])
    await compressed('h1', body('one'), 'br')
    expect(made).toEqual(['one'])
    await compressed('h1', body('one'), 'gzip')
    expect(made).toEqual(['one', 'one'])
  })

  it('are kept up to a bound: the longest unused goes', async () => {
    const { made, run } = counted()
    const compressed = compressor(6, run)
    for (const text of ['one', 'two', 'one', 'six', 'one', 'two']) await compressed(text, body(text), 'br')
    expect(made).toEqual(['one', 'two', 'six', 'two'])
    expect((await compressed('large', body('larger than all'), 'br')).toString()).toBe('larger than all')
    await compressed('large', body('larger than all'), 'br')
    expect(made.slice(4)).toEqual(['larger than all', 'larger than all'])
  })

  it('that could not be made are tried again', async () => {
    const { made, run } = counted()
    const compressed = compressor(6, run)
    for (const _ of [1, 2]) await expect(compressed('bad', body('bad'), 'br')).rejects.toThrow('no memory')
    expect(made).toEqual(['bad', 'bad'])
  })
})
