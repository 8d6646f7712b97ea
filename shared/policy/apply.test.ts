import { describe, expect, it } from 'vitest'
import { refusesFleet } from './apply.ts'
import { closedPolicy } from './policy.ts'

const policy = (...fleets: readonly { url: string; name: string | null }[]) => ({ ...closedPolicy('p'), fleets })

describe('a policy that names fleets', () => {
  it.each([
    ['at this hub', 'nats://hub:4222', 'lab', 'nats://hub:4222', null],
    ['of this name', 'nats://hub:4222', 'lab', 'nats://hub:4222', 'lab'],
    ['at the usual port', 'nats://HUB', 'lab', 'nats://hub:4222', null],
    ['with TLS, which is more', 'tls://hub', 'lab', 'nats://hub', null],
    ['at an address in brackets', 'nats://[::1]:4222', 'lab', 'nats://[::1]', null],
  ])('lets the one be joined %s', (_, url, name, allowed, only) => {
    expect(refusesFleet([policy({ url: allowed, name: only })], { url, name })).toBeNull()
  })

  it.each([
    ['at another hub', 'nats://hub.evil', 'lab', 'nats://hub', null],
    ['at another port', 'nats://hub:4223', 'lab', 'nats://hub', null],
    ['of another name', 'nats://hub', 'lab2', 'nats://hub', 'lab'],
    ['without TLS', 'nats://hub', 'lab', 'tls://hub', null],
  ])('does not let one be joined %s', (_, url, name, allowed, only) => {
    const one = policy({ url: allowed, name: only })
    expect(refusesFleet([policy({ url, name: null }), one], { url, name })).toBe(one)
  })

  it('may name none, and is nothing to an engine without a fleet', () => {
    expect(refusesFleet([policy()], { url: 'nats://hub', name: 'lab' })).not.toBeNull()
    expect(refusesFleet([policy()], { url: null, name: 'lab' })).toBeNull()
    expect(refusesFleet([{ ...policy(), fleets: null }], { url: 'nats://hub', name: 'lab' })).toBeNull()
    expect(refusesFleet(undefined, { url: 'nats://hub', name: 'lab' })).toBeNull()
  })
})
