import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { everything, runs } from '../../../shared/testing/runs.ts'
import { wireProtocols } from './canonical/request.ts'
import { codecOf } from './index.ts'
import { asBody, asStream } from './testing/golden/converted.ts'
import { goldens } from './testing/golden/load.ts'
import { cut, cuts, watch } from './testing/summaries.ts'

/** A network cuts where it likes: in a character, an escape, a line end. */
describe.each(goldens().filter((golden) => golden.form === 'stream'))('$name', (golden) => {
  const { protocol, bytes } = golden
  const others = wireProtocols.filter((to) => to !== protocol)
  const whole = {
    seen: watch(codecOf(protocol), bytes),
    streams: others.map((to) => asStream(golden, to)),
    bodies: others.map((to) => asBody(golden, to)),
  }

  it('says the same under any cut', () => {
    fc.assert(
      fc.property(cuts, (places) => {
        const chunks = cut(bytes, places).map((chunk) => Buffer.from(chunk))
        expect(watch(codecOf(protocol), bytes, { chunks })).toEqual(whole.seen)
        expect(others.map((to) => asStream(golden, to, chunks))).toEqual(whole.streams)
        expect(others.map((to) => asBody(golden, to, chunks))).toEqual(whole.bodies)
      }),
      // each of the hundreds of answers is one of the cases
      { ...runs(40), numRuns: everything ? 40 : 1 },
    )
  })

  it('is never a finish before its end, wherever it breaks off', () => {
    const said = new Set<string>()
    const step = Math.max(1, Math.floor(bytes.length / 60))
    for (let end = 0; end < bytes.length; end += step) {
      const piece = bytes.subarray(0, end)
      const { finish, complete } = watch(codecOf(protocol), piece, { brokenOff: true })
      if (complete) said.add(finish)
      else expect(finish === 'error' ? 'error' : 'broken-off').toBe(finish)
    }
    // The terminal event may stand before the last byte, and an error after an answer that was cut short anyway.
    for (const finish of said) if (finish !== 'length') expect(finish).toBe(whole.seen.finish)
  })
})
