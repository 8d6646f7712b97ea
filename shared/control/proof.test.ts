import { createHmac } from 'node:crypto'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isProof, newNonce, pageCredential, proofOf, type Exchange } from './proof.ts'
import { runs } from '../testing/runs.ts'

const exchange: Exchange = { path: '/control', id: 'home', callerNonce: 'c'.repeat(43), engineNonce: 'e'.repeat(43) }

describe('a proof', () => {
  it('is the HMAC-SHA-256 of who says it and all that was said', async () => {
    const text = ['onward control 1', 'engine', '/control', 'home', 'c'.repeat(43), 'e'.repeat(43)].join('\n')
    expect(await proofOf('key', 'engine', exchange)).toBe(createHmac('sha256', 'key').update(text).digest('base64url'))
  })

  it('counts with its key, its side and its exchange only', async () => {
    const proof = await proofOf('key', 'caller', exchange)
    expect(await isProof('key', 'caller', exchange, proof)).toBe(true)
    expect(await isProof('another', 'caller', exchange, proof)).toBe(false)
    expect(await isProof('key', 'engine', exchange, proof)).toBe(false)
    for (const part of ['path', 'id', 'callerNonce', 'engineNonce'] as const)
      expect(await isProof('key', 'caller', { ...exchange, [part]: 'other' }, proof), part).toBe(false)
  })

  it('is refused quietly whatever is given in its place', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string(), async (given) => {
        expect(await isProof('key', 'caller', exchange, given)).toBe(false)
      }),
      runs(200),
    )
  })

  it('is never the same twice: nonces differ', () => {
    const nonces = Array.from({ length: 1000 }, newNonce)
    expect(new Set(nonces).size).toBe(1000)
    for (const nonce of nonces) expect(nonce).toMatch(/^[A-Za-z0-9_-]{43}$/)
  })
})

describe('what a link is traded for', () => {
  it('follows from the key and the exchange, and is neither of the two proofs', async () => {
    const page = await pageCredential('key', exchange)
    expect(await pageCredential('key', exchange)).toEqual(page)
    expect(await pageCredential('key', { ...exchange, engineNonce: 'x' })).not.toEqual(page)
    const said = [await proofOf('key', 'caller', exchange), await proofOf('key', 'engine', exchange)]
    expect(new Set([page.id, page.key, ...said]).size).toBe(4)
  })
})
