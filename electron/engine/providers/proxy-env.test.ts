import { describe, expect, it } from 'vitest'
import { proxyFor } from './proxy-env.ts'

const both = { HTTP_PROXY: 'http://plain:3128', HTTPS_PROXY: 'http://secure:3128' }

describe('which proxy an address takes', () => {
  it.each([
    ['http://models.test/v1', both, 'http://plain:3128/'],
    ['https://models.test/v1', both, 'http://secure:3128/'],
    ['https://models.test/v1', { HTTP_PROXY: 'http://plain:3128' }, null],
    ['https://models.test/v1', { HTTPS_PROXY: 'A', https_proxy: 'lower:1' }, 'http://lower:1/'],
    ['https://models.test/v1', { HTTPS_PROXY: '' }, null],
    ['http://127.0.0.1:9001/v1', both, null],
    ['http://127.8.8.8/v1', both, null],
    ['http://localhost:9001/v1', both, null],
    ['http://[::1]:9001/v1', both, null],
    ['http://10.0.0.8/v1', both, 'http://plain:3128/'],
    ['https://models.test/v1', { ...both, NO_PROXY: '*' }, null],
    ['https://models.test/v1', { ...both, NO_PROXY: 'models.test' }, null],
    ['https://api.models.test/v1', { ...both, NO_PROXY: '.models.test' }, null],
    ['https://api.models.test/v1', { ...both, NO_PROXY: '*.models.test' }, null],
    ['https://mymodels.test/v1', { ...both, NO_PROXY: 'models.test' }, 'http://secure:3128/'],
    ['https://models.test/v1', { ...both, NO_PROXY: 'a.test, models.test:443' }, null],
    ['https://models.test:8443/v1', { ...both, NO_PROXY: 'models.test:443' }, 'http://secure:3128/'],
    ['https://[fd00::1]/v1', { ...both, NO_PROXY: 'fd00::1' }, null],
    ['https://[fd00::1]:444/v1', { ...both, NO_PROXY: '[fd00::1]:444' }, null],
  ])('%s with %j: %s', (url, env, expected) => {
    expect(proxyFor(new URL(url), env)?.href ?? null).toBe(expected)
  })

  it.each(['socks5://127.0.0.1:1080', 'http://'])(
    'a proxy that can not be used is an error, never a way round it: %s',
    (proxy) => {
      expect(() => proxyFor(new URL('https://models.test'), { HTTPS_PROXY: proxy })).toThrow(/HTTPS_PROXY/)
    },
  )
})
