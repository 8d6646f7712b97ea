import { describe, expect, it } from 'vitest'
import { configSchema } from '../../../shared/config/schema.ts'
import { prepareUpstream, type PrepareInput } from './prepare.ts'
import { usualTimeouts } from './time-limits.ts'

const { providers } = configSchema.parse({
  providers: {
    p: { type: 'anthropic', baseUrl: 'https://models.test', quirks: { timeouts: { idleMs: 5 }, authHeader: 'bearer' } },
  },
})
const prepared = (change: Partial<PrepareInput> = {}) => {
  const provider = providers['p']
  if (!provider) throw new Error('no provider')
  return prepareUpstream({
    entry: 'messages',
    providerId: 'p',
    provider,
    type: provider.type,
    key: { value: 'sk' },
    method: 'POST',
    path: '/v1/messages?beta=true',
    clientHeaders: { 'x-api-key': 'local', 'user-agent': 'agent' },
    isLocalKey: () => true,
    body: Buffer.from('{}'),
    ...change,
  })
}

describe('a request prepared for a provider', () => {
  it('has its address, its credential, the client’s bytes and the time-outs in force', () => {
    const body = Buffer.from('{ "odd" :1}')
    expect(prepared({ body })).toEqual({
      url: 'https://models.test/v1/messages?beta=true',
      method: 'POST',
      body,
      headers: {
        'user-agent': 'agent',
        'content-type': 'application/json',
        'accept-encoding': 'identity',
        'anthropic-version': '2023-06-01',
        authorization: 'Bearer sk',
      },
      timeouts: { ...usualTimeouts, idleMs: 5 },
    })
  })

  it('a GET has no body', () => {
    expect(prepared({ method: 'GET', path: '/v1/models' })).toMatchObject({
      body: null,
      url: 'https://models.test/v1/models',
    })
    expect(prepared({ method: 'GET' }).headers['content-type']).toBeUndefined()
  })
})
