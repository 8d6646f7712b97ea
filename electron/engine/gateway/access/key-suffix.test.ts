import { describe, expect, it } from 'vitest'
import { splitKey } from './authenticate.ts'

describe('an API key with suffixes', () => {
  it.each([
    ['sk-1', 'sk-1', null],
    ['sk-1::rcc-session:work', 'sk-1', { tmuxSessionId: 'work', daemonId: null }],
    ['sk-1::rcc-sessiond:d7', 'sk-1', { tmuxSessionId: null, daemonId: 'd7' }],
    ['sk-1::rcc-session:work::rcc-sessiond:d7', 'sk-1', { tmuxSessionId: 'work', daemonId: 'd7' }],
    ['sk-1::rcc-sessiond:d7::rcc-session:work', 'sk-1', { tmuxSessionId: 'work', daemonId: 'd7' }],
    ['::rcc-session:work', '', { tmuxSessionId: 'work', daemonId: null }],
    ['sk-1::rcc-session:a:b c', 'sk-1', { tmuxSessionId: 'a:b c', daemonId: null }],
    ['sk-1::rcc-session:', 'sk-1', null],
    ['sk-1::rcc-sessionx:y', 'sk-1::rcc-sessionx:y', null],
    ['sk::1', 'sk::1', null],
  ])('%s', (text, key, suffix) => {
    expect(splitKey(text)).toEqual({ key, suffix })
  })
})
