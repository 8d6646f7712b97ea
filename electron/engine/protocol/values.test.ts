import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { elements, member, splice } from './json-bytes/index.ts'
import { rootOf } from './json-bytes/walk.ts'
import { decodeUtf8, behindLast, withoutElements } from './values.ts'

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

const listIn = (json: Buffer) => {
  const at = member(json, rootOf(json), 'l')
  if (!at) throw new Error('no list')
  return at
}
const read = (json: Buffer): unknown => JSON.parse(json.toString())
const values = fc.array(fc.jsonValue(), { maxLength: 6 })
const bodyOf = (list: readonly unknown[], space: number): Buffer =>
  Buffer.from(JSON.stringify({ a: 1, l: list, z: [2] }, null, space))

describe('edits of a list', () => {
  it('put values behind the last', () => {
    fc.assert(
      fc.property(values, values, fc.constantFrom(0, 2), (list, more, space) => {
        const body = bodyOf(list, space)
        if (more.length === 0) return
        const out = splice(body, [
          behindLast(
            body,
            listIn(body),
            more.map((value) => Buffer.from(JSON.stringify(value))),
          ),
        ])
        expect(read(out)).toEqual(read(bodyOf([...list, ...more], 0)))
      }),
      runs(100),
    )
    const body = Buffer.from('{"l": [ 1 , 2\n ] }')
    expect(splice(body, [behindLast(body, listIn(body), [Buffer.from('3')])]).toString()).toBe('{"l": [ 1 , 2,3\n ] }')
  })

  it('take elements out, with one of the commas beside each', () => {
    fc.assert(
      fc.property(values, fc.nat(63), fc.constantFrom(0, 2), (list, out, space) => {
        const body = bodyOf(list, space)
        const isOut = (i: number): boolean => (out >> i) % 2 === 1
        const left = splice(body, withoutElements(elements(body, listIn(body)), isOut))
        expect(read(left)).toEqual(
          read(
            bodyOf(
              list.filter((_, i) => !isOut(i)),
              0,
            ),
          ),
        )
      }),
      runs(100),
    )
    const body = Buffer.from('{"l": [ 1 , 2 , 3 ] }')
    expect(
      [0, 1, 2].map((gone) =>
        splice(
          body,
          withoutElements(elements(body, listIn(body)), (i) => i === gone),
        ).toString(),
      ),
    ).toEqual(['{"l": [ 2 , 3 ] }', '{"l": [ 1 , 3 ] }', '{"l": [ 1 , 2 ] }'])
  })
})
