import { describe, expect, it } from 'vitest'
import { lastWords } from './last-words.ts'

describe('the last words of an app', () => {
  it.each([
    ['were said', () => Promise.resolve()],
    ['could not be said', () => Promise.reject(new Error('no display'))],
  ])('are followed by its end where they %s', async (_what, say) => {
    let ended = 0
    await lastWords(say, () => {
      ended += 1
    })
    expect(ended).toBe(1)
  })

  it('come before its end', async () => {
    const order: string[] = []
    await lastWords(
      async () => void order.push('said'),
      () => order.push('ended'),
    )
    expect(order).toEqual(['said', 'ended'])
  })
})
