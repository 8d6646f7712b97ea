import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../../../../shared/testing/runs.ts'
import { utf8Places } from './utf8-places.ts'

const piece = fc.string({ unit: fc.constantFrom('a', ' ', 'é', 'ß', '世', '界', '👋', '𝒳', '\n'), maxLength: 8 })

it('finds bytes by units and units by bytes, under any cut', () => {
  fc.assert(
    fc.property(fc.array(piece), fc.nat(40), (pieces, cut) => {
      const text = pieces.join('')
      const places = utf8Places()
      // the cut may fall between the halves of one character
      places.add(text.slice(0, cut))
      places.add(text.slice(cut))
      let unit = 0
      for (const char of text) {
        const byte = Buffer.byteLength(text.slice(0, unit))
        expect([places.byteAt(unit), places.unitAt(byte)]).toEqual([byte, unit])
        if (char.length === 2) expect(places.byteAt(unit + 1)).toBeNull()
        if (Buffer.byteLength(char) > 1) expect(places.unitAt(byte + 1)).toBeNull()
        unit += char.length
      }
      expect([places.units(), places.bytes()]).toEqual([text.length, Buffer.byteLength(text)])
      expect([places.byteAt(text.length), places.unitAt(places.bytes())]).toEqual([places.bytes(), text.length])
      expect([places.byteAt(-1), places.byteAt(text.length + 1), places.unitAt(places.bytes() + 1)]).toEqual([
        null,
        null,
        null,
      ])
    }),
    runs(300),
  )
})
