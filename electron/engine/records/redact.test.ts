import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { OnwardError } from '../base/errors.ts'
import { redact, redactText } from './redact.ts'
import { runs } from '../../../shared/testing/runs.ts'

describe('redactText', () => {
  it.each([
    ['key owk_AbC-12_x used', 'key owk_[redacted] used'],
    ['sk-ant-api03-abcdefgh', 'sk-[redacted]'],
    ['Authorization: Bearer abcdef123456', 'Authorization: Bearer [redacted]'],
    ['AIzaSyA1234567890abcdefghijkl', 'AIza[redacted]'],
    ['eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.sig', '[redacted]'],
    ['POST /t/owk_abcdefgh/v1/messages', 'POST /t/[redacted]/v1/messages'],
    ['POST /t/abcdefghijk/v1/messages', 'POST /t/[redacted]/v1/messages'],
    ['http://127.0.0.1:5520/#token=abc&x=1', 'http://127.0.0.1:5520/#token=[redacted]&x=1'],
    ['https://x.test/v1?key=abc', 'https://x.test/v1?key=[redacted]'],
    ['http://me:pass@proxy:80', 'http://me:[redacted]@proxy:80'],
    ['nothing secret: task-list, /tmp/file', 'nothing secret: task-list, /tmp/file'],
  ])('%s', (text, shown) => {
    expect(redactText(text)).toBe(shown)
  })

  it('shortens long texts', () => {
    expect(redactText('x'.repeat(5000))).toBe(`${'x'.repeat(2000)}… (5000 characters)`)
  })
})

describe('redact', () => {
  it('hides secrets and contents by name, at any depth, and keeps the rest', () => {
    expect(
      redact({
        session: 's',
        tokens: 12,
        keyAlias: 'main',
        apiKey: 'x',
        'x-api-key': 'x',
        prompt: 'p',
        ok: true,
        none: null,
        when: new Date(0),
        headers: { Authorization: 'x', 'set-cookie': ['x'], accept: 'json' },
        list: [{ token: 'x' }, 'Bearer abcdefghij'],
        body: Buffer.from('x'),
        raw: new Uint8Array(3),
      }),
    ).toEqual({
      session: 's',
      tokens: 12,
      keyAlias: 'main',
      apiKey: '[redacted]',
      'x-api-key': '[redacted]',
      prompt: '[left out]',
      ok: true,
      none: null,
      when: '1970-01-01T00:00:00.000Z',
      headers: { Authorization: '[redacted]', 'set-cookie': '[redacted]', accept: 'json' },
      list: [{ token: '[redacted]' }, 'Bearer [redacted]'],
      body: '[left out]',
      raw: '[3 bytes]',
    })
  })

  it('makes errors plain, with their causes; a stack only for what was not expected', () => {
    const { err } = redact({
      err: new OnwardError('store-failed', 'It failed.', {
        cause: Object.assign(new TypeError('owk_secret1'), { code: 'EIO' }),
      }),
    })
    expect(err).toEqual({
      code: 'store-failed',
      message: 'It failed.',
      cause: {
        name: 'TypeError',
        code: 'EIO',
        message: 'owk_[redacted]',
        stack: expect.stringContaining('redact.test'),
      },
    })
  })

  it('is bounded and can be written as JSON, whatever it gets', () => {
    const round: Record<string, unknown> = { n: 1n, f: () => 1 }
    round.self = round
    expect(JSON.stringify(redact(round)).length).toBeLessThan(1000)
    expect(redact({ list: Array.from({ length: 80 }, () => 1) }).list).toHaveLength(51)
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), fc.anything({ withBigInt: true, withDate: true, withTypedArray: true })),
        (fields) => {
          JSON.stringify(redact(fields))
        },
      ),
      runs(100),
    )
  })

  it('never lets a key of ours through, wherever it stands', () => {
    const key = 'owk_Zm9vYmFyYmF6cXV4'
    fc.assert(
      fc.property(fc.string(), fc.string(), fc.string(), (before, name, after) => {
        const shown = JSON.stringify(
          redact({ [name]: { deep: [`${before} ${key} ${after}`] }, err: new Error(`${before} ${key}`) }),
        )
        expect(shown).not.toContain(key)
      }),
      runs(100),
    )
  })
})
