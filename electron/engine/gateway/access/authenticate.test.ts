import { describe, expect, it } from 'vitest'
import { authenticate, refuseUser, type Proof } from './authenticate.ts'
import type { CallingUser } from './connection-peer.ts'

const terminalByKey = (key: string) => (key === 'term-key' ? 'term-1' : null)
const ask = (
  headers: Record<string, string>,
  {
    keys = ['local-key', 'other-key'],
    urlKey = null,
    remoteAddress = '127.0.0.1',
  }: { keys?: string[]; urlKey?: string | null; remoteAddress?: string } = {},
) => {
  const who = authenticate({ headers, urlKey, remoteAddress }, keys, terminalByKey)
  return who.ok ? who.caller : who.refusal.code
}
const terminal = { kind: 'terminal', terminalId: 'term-1' }
const local = { kind: 'local', suffix: null }

describe('a key', () => {
  it.each([
    ['authorization', 'Bearer local-key'],
    ['authorization', 'bearer  local-key'],
    ['x-api-key', 'local-key'],
    ['x-goog-api-key', 'other-key'],
    ['x-onward-key', 'other-key'],
  ])('counts in %s: %s', (name, value) => {
    expect(ask({ [name]: value })).toEqual(local)
  })

  it.each([
    ['authorization', 'Bearer term-key'],
    ['x-api-key', 'term-key'],
    ['x-onward-key', 'term-key'],
    ['x-api-key', 'term-key::rcc-session:work'],
  ])('of a terminal counts in %s: %s', (name, value) => {
    expect(ask({ [name]: value })).toEqual(terminal)
    expect(ask({ [name]: value }, { keys: [] })).toEqual(terminal)
  })

  it("counts in the URL, beside the client's own credential", () => {
    expect(ask({ authorization: 'Bearer vendor-token' }, { urlKey: 'term-key' })).toEqual(terminal)
    expect(ask({ authorization: 'Bearer vendor-token' }, { urlKey: 'local-key' })).toEqual(local)
    expect(ask({ 'x-api-key': 'vendor-key', 'x-onward-key': 'local-key' })).toEqual(local)
  })

  it("counts in the query, as Google's clients may send it", () => {
    expect(
      authenticate(
        { headers: {}, urlKey: null, queryKey: 'local-key', remoteAddress: '127.0.0.1' },
        ['local-key'],
        terminalByKey,
      ),
    ).toEqual({ ok: true, caller: local, proof: 'shared-key' })
    expect(
      authenticate(
        { headers: {}, urlKey: null, queryKey: 'term-key', remoteAddress: '127.0.0.1' },
        ['local-key'],
        terminalByKey,
      ),
    ).toEqual({ ok: true, caller: terminal, proof: 'terminal-key' })
    expect(
      authenticate(
        { headers: {}, urlKey: null, queryKey: 'wrong', remoteAddress: '127.0.0.1' },
        ['local-key'],
        terminalByKey,
      ),
    ).toMatchObject({ ok: false })
  })

  it('names its terminal also where another key is in order', () => {
    expect(ask({ 'x-onward-key': 'local-key', authorization: 'Bearer term-key' })).toEqual(terminal)
  })

  it.each([
    [{}, 'missing-key'],
    [{ authorization: 'Bearer wrong' }, 'bad-key'],
    [{ authorization: 'Basic local-key' }, 'missing-key'],
    [{ authorization: 'local-key' }, 'missing-key'],
    [{ 'x-api-key': 'local-ke' }, 'bad-key'],
    [{ 'x-api-key': 'local-kez' }, 'bad-key'],
    [{ 'x-onward-key': 'wrong', authorization: 'Bearer local-key' }, 'bad-key'],
  ])('is refused: %j', (headers: Record<string, string>, code) => {
    expect(ask(headers)).toBe(code)
  })

  it('keeps its suffixes', () => {
    expect(ask({ authorization: 'Bearer local-key::rcc-session:work::rcc-sessiond:d1' })).toEqual({
      kind: 'local',
      suffix: { tmuxSessionId: 'work', daemonId: 'd1' },
    })
    expect(ask({ 'x-onward-key': 'local-key', authorization: 'Bearer sk-vendor::rcc-session:work' })).toEqual({
      kind: 'local',
      suffix: { tmuxSessionId: 'work', daemonId: null },
    })
  })
})

describe('without server.keys', () => {
  it.each(['127.0.0.1', '::1', '::ffff:127.0.0.1', '127.8.8.8'])('a peer at %s needs none', (remoteAddress) => {
    expect(ask({}, { keys: [], remoteAddress })).toEqual(local)
    expect(ask({ 'x-api-key': 'whatever' }, { keys: [], remoteAddress })).toEqual(local)
    expect(ask({ authorization: 'Bearer x::rcc-session:work' }, { keys: [], remoteAddress })).toEqual({
      kind: 'local',
      suffix: { tmuxSessionId: 'work', daemonId: null },
    })
  })
  it.each(['192.168.1.9', '::ffff:10.0.0.1', 'fe80::1', undefined])('a peer at %s is refused', (remoteAddress) => {
    const who = authenticate({ headers: { 'x-api-key': 'x' }, urlKey: null, remoteAddress }, [], terminalByKey)
    expect(who).toMatchObject({ ok: false, refusal: { status: 401, code: 'keys-required' } })
  })
})

describe('what speaks for a caller', () => {
  const proofOf = (headers: Record<string, string>, keys: string[]) => {
    const who = authenticate({ headers, urlKey: null, remoteAddress: '127.0.0.1' }, keys, terminalByKey)
    return who.ok && who.proof
  }

  it('is its key, or its address alone', () => {
    expect(proofOf({}, [])).toBe('address')
    expect(proofOf({ 'x-api-key': "a vendor's" }, [])).toBe('address')
    expect(proofOf({ 'x-api-key': 'term-key' }, [])).toBe('terminal-key')
    expect(proofOf({ 'x-api-key': 'local-key' }, ['local-key'])).toBe('shared-key')
  })

  it.each<[CallingUser, Proof, string | null]>([
    ['own', 'address', null],
    ['other', 'address', 'other-user'],
    ['gone', 'address', 'key-needed'],
    ['untold', 'address', 'key-needed'],
    ['own', 'terminal-key', null],
    ['other', 'terminal-key', 'other-user'],
    ['gone', 'terminal-key', 'key-needed'],
    ['untold', 'terminal-key', null],
    ['other', 'shared-key', null],
    ['unread', 'address', 'user-unread'],
    ['unread', 'terminal-key', 'user-unread'],
    ['unread', 'shared-key', null],
  ])('a caller that is %s, by its %s: %s', (user, proof, code) => {
    expect(refuseUser(user, proof)?.code ?? null).toBe(code)
  })
})
