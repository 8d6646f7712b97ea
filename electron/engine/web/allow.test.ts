import { describe, expect, it } from 'vitest'
import { readAllow } from './allow.ts'

const cases: [entry: string, host: string, port: number, address: string, allowed: boolean][] = [
  ['wiki.lan', 'wiki.lan', 80, '192.168.1.5', true],
  ['Wiki.LAN.', 'wiki.lan', 80, '192.168.1.5', true],
  ['wiki.lan', 'evil.wiki.lan', 80, '192.168.1.5', false],
  ['wiki.lan:8080', 'wiki.lan', 8080, '10.0.0.1', true],
  ['wiki.lan:8080', 'wiki.lan', 80, '10.0.0.1', false],
  ['bücher.lan', 'xn--bcher-kva.lan', 80, '10.0.0.1', true],
  ['127.0.0.1', '127.0.0.1', 4000, '127.0.0.1', true],
  ['127.0.0.1', 'any.name', 80, '127.0.0.1', true],
  ['127.0.0.1', '127.0.0.1', 80, '127.0.0.2', false],
  ['127.0.0.1:81', '127.0.0.1', 80, '127.0.0.1', false],
  ['127.0.0.1', 'x', 80, '::ffff:127.0.0.1', true],
  ['192.168.1.0/24', 'x', 80, '192.168.1.200', true],
  ['192.168.1.0/24', 'x', 80, '192.168.2.1', false],
  ['192.168.1.0/24:8443', 'x', 8443, '192.168.1.1', true],
  ['192.168.1.0/24:8443', 'x', 443, '192.168.1.1', false],
  ['::1', '::1', 80, '::1', true],
  ['[::1]:81', '::1', 81, '::1', true],
  ['[::1]:81', '::1', 80, '::1', false],
  ['fd00::/8', 'x', 80, 'fd12::1', true],
  ['[fd00::/8]:443', 'x', 80, 'fd12::1', false],
  ['fd00::/8', 'x', 80, '10.0.0.1', false],
  ['', 'x', 80, '10.0.0.1', false],
  ['0.0.0.0/99', 'x', 80, '10.0.0.1', false],
  ['http://x', 'x', 80, '10.0.0.1', false],
  ['a b', 'a b', 80, '10.0.0.1', false],
]

describe('what a person permits though it is not public', () => {
  it.each(cases)('%j for %s:%d at %s: %s', (entry, host, port, address, allowed) => {
    expect(readAllow([entry])({ host, port, address })).toBe(allowed)
  })
  it('is nothing by itself, and any entry is enough', () => {
    expect(readAllow([])({ host: 'x', port: 80, address: '10.0.0.1' })).toBe(false)
    expect(readAllow(['y', '10.0.0.0/8'])({ host: 'x', port: 80, address: '10.0.0.1' })).toBe(true)
  })
})
