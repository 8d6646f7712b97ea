import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { holdsPrivateKey, withoutTokens } from './secret-content.ts'

// Put together here, so that nobody takes this file for one.
const block = (kind: string, body = 'MIIE') => `-----BEGIN ${kind}-----\n${body}`
const base64 = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'
const holds = (text: string) => holdsPrivateKey(Buffer.from(text))

describe('private keys', () => {
  it.each([
    block('PRIVATE KEY'),
    block('RSA PRIVATE KEY'),
    block('OPENSSH PRIVATE KEY'),
    block('ENCRYPTED PRIVATE KEY'),
    block('PGP PRIVATE KEY BLOCK'),
    `Bag Attributes\n${block('PRIVATE KEY')}`,
    'PuTTY-User-Key-File-3: ssh',
    'AGE-SECRET-KEY-1QQ',
    `-----BEGIN EC PRIVATE KEY-----\r\nMIIE`,
    `tls:\n  key: |\n    ${block('RSA PRIVATE KEY')}`,
    `{ "private_key": "-----BEGIN PRIVATE KEY-----\\n${base64}\\n" }`,
    `const key = '-----BEGIN PRIVATE KEY-----\\n' +\n  '${base64}'`,
    '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nMIIE',
  ])('are known: %j', (text) => {
    expect(holds(text)).toBe(true)
  })

  it.each([
    '',
    block('PUBLIC KEY'),
    block('CERTIFICATE'),
    `const begin = '${block('PRIVATE KEY')}'`,
    'a PRIVATE KEY is',
  ])('are not seen in %j', (text) => {
    expect(holds(text)).toBe(false)
  })

  it('are known wherever they stand in a file', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 21), fc.nat(2 ** 12), (before, after) => {
        const text = `${'x'.repeat(79)}\n`.repeat(Math.ceil(before / 80)) + block('PRIVATE KEY') + 'y\n'.repeat(after)
        expect(holds(text)).toBe(true)
      }),
      runs(50),
    )
  })

  // What goes back over the text here would take hours.
  it.each([
    ['beginnings without an end', `${'-----BEGIN A '.repeat(150_000)}PRIVATE KEY`],
    ['words without an end', `-----BEGIN ${'AB '.repeat(600_000)}PRIVATE KEY`],
    ['blanks', `${' \t'.repeat(900_000)}PRIVATE KEY`],
    ['quotes behind one', `-----BEGIN PRIVATE KEY-----${'\\n'.repeat(900_000)}`],
  ])('are looked for in %s without being held up', (_what, text) => {
    expect(holds(text)).toBe(false)
  })
})

describe('keys of services', () => {
  const fill = (n: number) => 'aB3'.repeat(n).slice(0, n)
  it.each([
    `AKIA${'ABCD'.repeat(4)}`,
    `ghp_${fill(36)}`,
    `github_pat_${fill(40)}`,
    `glpat-${fill(20)}`,
    `xoxb-${fill(24)}`,
    `sk-ant-api03-${fill(60)}`,
    `sk-proj-${fill(60)}`,
    `sk-${fill(48)}`,
    `sk_live_${fill(24)}`,
    `AIza${fill(35)}`,
    `ya29.${fill(60)}`,
    `npm_${fill(36)}`,
    `hf_${fill(34)}`,
    `SG.${fill(22)}.${fill(43)}`,
    `hvs.${fill(40)}`,
    `eyJ${fill(40)}.eyJ${fill(60)}.${fill(43)}`,
  ])('are left out: %s', (key) => {
    expect(withoutTokens(`a = "${key}"; b`)).toBe('a = "[a key, left out]"; b')
    expect(withoutTokens(key.slice(0, 12))).toBe(key.slice(0, 12))
  })

  it.each([
    'sk-learn',
    'task-ant-hill-with-a-long-name-of-it',
    'const xoxb = 1',
    'SG.text.more',
    'npm_config_registry',
  ])('are not seen in %j', (text) => {
    expect(withoutTokens(text)).toBe(text)
  })

  it('are looked for without being held up', () => {
    for (const text of ['eyJ-', 'SG.a', 'sk-', 'AKIA', 'gh_', 'ya29'])
      expect(withoutTokens(text.repeat(7_000))).not.toContain('left out')
  })
})
