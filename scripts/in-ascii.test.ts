import { describe, expect, it } from 'vitest'
import { escaped, inAscii } from '../build/in-ascii.ts'

const means = (code: string): unknown => new Function('tag', `return ${code}`)((texts: readonly string[]) => texts[0])
const written = (code: string): string => escaped(code)?.code ?? code
const built = (code: string) => () =>
  inAscii.generateBundle.call(
    {
      error(message: string): never {
        throw new Error(message)
      },
    },
    {},
    { part: { type: 'chunk', fileName: 'part.js', code }, text: { type: 'asset', fileName: 'text.md' } },
  )

describe('the built program', () => {
  it.each(["'检查“a”'", 'tag`检查，${1}。`', '/[零〇一]{1,3}/.source.length > 0', "'\\\\。'", "'👍'", '/* Jörg */ 1'])(
    'is in ASCII and means the same: %s',
    (code) => {
      expect(written(code)).toMatch(/^[\0-\x7f]*$/)
      expect(means(written(code))).toEqual(means(code))
    },
  )
  it.each(['String.raw`一`', "'\\。'"])('is left as it is where an escape would change it: %s', (code) => {
    expect(escaped(code)).toBeNull()
    expect(built(code)).toThrow('part.js is not in ASCII')
  })
  it('is not touched where there is nothing to do', () => {
    expect(escaped("'plain'")).toBeNull()
    expect(built("'plain'")).not.toThrow()
  })
})
