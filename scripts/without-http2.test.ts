import { createRequire } from 'node:module'
import { describe, expect, it } from 'vitest'
import { instead, withoutHttp2 } from '../build/without-http2.ts'

const built = (code: string) => () =>
  withoutHttp2.generateBundle.call(
    {
      error(message: string): never {
        throw new Error(message)
      },
    },
    {},
    { part: { type: 'chunk', fileName: 'part.js', code }, text: { type: 'asset', fileName: 'text.md' } },
  )

describe('HTTP/2', () => {
  it('is left out where undici has it, in a file that is there', () => {
    const file = createRequire(import.meta.url)
      .resolve('undici/lib/dispatcher/client-h2.js')
      .replaceAll('\\', '/')
    expect(withoutHttp2.load(file)).toBe(instead)
    expect(withoutHttp2.load(file.replace('-h2', '-h1'))).toBeNull()
  })
  it('is told of as what it is if it ever were needed', () => {
    const module = { exports: (): unknown => undefined }
    new Function('module', instead)(module)
    expect(module.exports).toThrow('The server chose HTTP/2')
  })
  it('lets no build pass that has it all the same', () => {
    expect(built('require("node:http2")')).toThrow('part.js loads node:http2')
    expect(built('require("node:http")')).not.toThrow()
  })
})
