import { describe, expect, it } from 'vitest'
import { refuseForeign } from './allowed-host.ts'

const code = (host?: string, origin?: string, allowed: string[] = [], local = '127.0.0.1') =>
  refuseForeign(host, origin, local, allowed)?.code ?? null

describe('the Host header', () => {
  it.each(['127.0.0.1', '127.0.0.1:5520', 'localhost:5520', 'LOCALHOST', '127.1.2.3:80', '[::1]:5520', '[::1]'])(
    'lets %s in',
    (host) => {
      expect(code(host)).toBeNull()
    },
  )
  it.each([
    undefined,
    '',
    'evil.example',
    'evil.example:5520',
    'localhost.evil.example',
    '127.0.0.1.evil.example',
    'localhost:5520@evil.example',
    'local host',
    '192.168.1.5:5520',
    '[::2]:5520',
    'localhost:',
    'localhost:123456',
    'localhost:5520:5520',
    '2130706433',
    '0.0.0.0:5520',
    'evil.example, localhost',
  ])('refuses %s', (host) => {
    expect(code(host)).toBe('foreign-host')
  })
  it('lets the address in that the connection came in on, where the config binds it', () => {
    expect(code('192.168.1.5:5520', undefined, [], '192.168.1.5')).toBeNull()
    expect(code('192.168.1.5:5520', undefined, [], '::ffff:192.168.1.5')).toBeNull()
    expect(code('[fe80::1]:5520', undefined, [], 'fe80::1')).toBeNull()
    expect(code('192.168.1.6:5520', undefined, [], '192.168.1.5')).toBe('foreign-host')
  })
  it.each([
    ['host.docker.internal:5520', ['host.docker.internal'], null],
    ['Host.Docker.Internal', ['host.docker.internal'], null],
    ['box:5520', ['box:5520'], null],
    ['box:5521', ['box:5520'], 'foreign-host'],
    ['mybox', ['box'], 'foreign-host'],
  ])('%s with allowedHosts %j', (host, allowed, expected) => {
    expect(code(host, undefined, allowed)).toBe(expected)
  })
})

describe('the Origin header', () => {
  it.each([
    ['http://127.0.0.1:5520', '127.0.0.1:5520', null],
    ['http://localhost:5520', 'localhost:5520', null],
    ['HTTP://LocalHost:5520', 'localhost:5520', null],
    ['http://localhost:3000', 'localhost:5520', 'foreign-origin'],
    ['http://localhost:5520', '127.0.0.1:5520', 'foreign-origin'],
    ['https://evil.example', 'localhost:5520', 'foreign-origin'],
    ['null', 'localhost:5520', 'foreign-origin'],
    ['', 'localhost:5520', 'foreign-origin'],
    ['file://', 'localhost:5520', 'foreign-origin'],
    ['chrome-extension://abc', 'localhost:5520', 'foreign-origin'],
    ['http://localhost:5520.evil.example', 'localhost:5520', 'foreign-origin'],
    ['http://localhost:5520/', 'localhost:5520', 'foreign-origin'],
  ])('%s on %s', (origin, host, expected) => {
    expect(code(host, origin)).toBe(expected)
  })
  it('may be listed', () => {
    expect(code('localhost:5520', 'http://localhost:5173', ['localhost:5173'])).toBeNull()
    expect(code('localhost:5520', 'http://localhost:5174', ['localhost:5173'])).toBe('foreign-origin')
    expect(code('onward.example', 'https://onward.example', ['onward.example'])).toBeNull()
  })
})
