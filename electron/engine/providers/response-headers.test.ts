import { describe, expect, it } from 'vitest'
import { downstreamHeaders } from './response-headers.ts'

describe('a provider’s response headers', () => {
  it.each([
    'request-id',
    'retry-after',
    'anthropic-ratelimit-requests-reset',
    'x-ratelimit-remaining-tokens',
    'content-type',
    'content-encoding',
    'x-codex-primary-used-percent',
    'openai-processing-ms',
    'date',
    'cache-control',
    'x-anything',
  ])('%s passes', (name) => {
    expect(downstreamHeaders({ [name]: 'v' })).toEqual({ [name]: 'v' })
  })
  it.each([
    'connection',
    'keep-alive',
    'transfer-encoding',
    'te',
    'trailer',
    'upgrade',
    'proxy-authenticate',
    'authorization',
    'www-authenticate',
    'authentication-info',
    'location',
    'content-location',
    'refresh',
    'link',
    'set-cookie',
    'strict-transport-security',
    'alt-svc',
    'clear-site-data',
    'access-control-allow-origin',
    'content-security-policy',
    'x-onward-request-id',
  ])('%s does not', (name) => {
    expect(downstreamHeaders({ [name]: 'v' })).toEqual({})
  })
  it('repeated ones stay repeated; what Connection names does not pass', () => {
    expect(downstreamHeaders({ 'x-a': ['1', '2'], connection: 'X-Hop', 'x-hop': '1' })).toEqual({ 'x-a': ['1', '2'] })
  })
  it('the length passes only where the body goes by whole', () => {
    expect(downstreamHeaders({ 'content-length': '3' })).toEqual({})
    expect(downstreamHeaders({ 'content-length': '3' }, true)).toEqual({ 'content-length': '3' })
  })
})
