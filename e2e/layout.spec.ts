import { describe, expect, it } from 'vitest'
import { checks, complaintsOf } from '../scripts/check.mjs'

/** As `npm run check` asks it. */
describe('of the sources', () => {
  it.each(Object.keys(checks) as (keyof typeof checks)[])('the %s is right', async (name) => {
    expect(await complaintsOf(name)).toBeNull()
  })
})
