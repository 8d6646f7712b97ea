import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decodeUtf8 } from './decode-utf8.ts'
import { runs } from '../../../shared/testing/runs.ts'

const long = (text: string) => Buffer.from(text.repeat(Math.ceil(9_000 / Buffer.byteLength(text))))

describe('decodeUtf8', () => {
  it.each(['a', 'é', '保存', '😀', 'a\u0000é', '\ufeffx', '\u2028'])(
    'reads long texts of %j as toString does',
    (text) => {
      expect(decodeUtf8(long(text))).toBe(long(text).toString('utf8'))
    },
  )

  it('puts U+FFFD for what is broken, as toString does', () => {
    const broken = Buffer.concat([
      long('é'),
      Buffer.from([0xe4, 0xbf]),
      long('保'),
      Buffer.from([0xed, 0xa0, 0x80, 0xff]),
    ])
    expect(decodeUtf8(broken)).toBe(broken.toString('utf8'))
    expect(decodeUtf8(broken)).toContain('\ufffd')
  })

  it('reads any bytes as toString does', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), fc.string({ unit: 'binary', maxLength: 20 }), (bytes, text) => {
        const whole = Buffer.concat([long('é'), bytes, Buffer.from(text)])
        expect(decodeUtf8(whole)).toBe(whole.toString('utf8'))
        const valid = Buffer.concat([long('é'), Buffer.from(text)])
        expect(decodeUtf8(valid)).toBe(valid.toString('utf8'))
      }),
      runs(100),
    )
  })
})
