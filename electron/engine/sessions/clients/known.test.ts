import { describe, expect, it } from 'vitest'
import { clientKinds } from '../../../../shared/words.ts'
import { profileOf, recogniseClient } from './index.ts'

describe('a client', () => {
  it.each(clientKinds.flatMap((kind) => profileOf(kind).recognise.map((sign) => [kind, sign] as const)))(
    '%s is recognised by its own sign %o',
    (kind, sign) => {
      const headers = { [sign.header]: `${sign.starts ?? ''}${sign.has ?? ''}` || 'x' }
      expect(recogniseClient(headers)).toBe(kind)
    },
  )
})
