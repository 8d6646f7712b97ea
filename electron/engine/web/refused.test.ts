import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { virtualClock } from '../base/testing/virtual-clock.ts'
import { createFetchWeb, type GuardedWeb } from './create-fetch-web.ts'
import { webServer, type WebServer } from './testing/web-server.ts'

/** Names and their addresses; every one that is not here does not exist. */
const zone: Record<string, string[]> = {
  'private.example': ['10.1.2.3'],
  'loop.example': ['127.0.0.1'],
  'mixed.example': ['93.184.216.34', '10.0.0.1'],
  'mixed6.example': ['2606:4700::1', '::1'],
  'mapped.example': ['::ffff:192.168.0.1'],
  'zone.example': ['fe80::1%eth0'],
  'meta.example': ['169.254.169.254'],
  'empty.example': [],
  'metadata.google.internal': ['93.184.216.34'],
  'printer.local': ['93.184.216.34'],
  'a.localhost': ['93.184.216.34'],
  localhost: ['127.0.0.1', '::1'],
  'router.home.arpa': ['93.184.216.34'],
  'xn--bcher-kva.example': ['192.168.7.7'],
  'odd.example': ['not an address'],
  'own.example': ['198.41.0.4'],
  'own6.example': ['2a01:4f8:0:1:0:0:0:2'],
  'own-nat64.example': ['64:ff9b::198.41.0.4'],
}
const family = (address: string): 4 | 6 => (address.includes(':') ? 6 : 4)
const resolve = async (name: string) => {
  const known = zone[name]
  if (!known) throw Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' })
  return known.map((address) => ({ address, family: family(address) }))
}

let site: WebServer
let secret: WebServer
let web: GuardedWeb
beforeAll(async () => {
  secret = await webServer((_heard, _request, response) => response.end('secret'))
  // `/to?<url>` redirects there, `/hops?<n>&<url>` by way of itself
  site = await webServer(({ url }, _request, response) => {
    const hops = /^\/hops\?(\d+)&(.*)$/.exec(url)
    const target = hops
      ? Number(hops[1]) > 0
        ? `/hops?${Number(hops[1]) - 1}&${hops[2] ?? ''}`
        : hops[2]
      : url.slice('/to?'.length)
    response.writeHead(302, { location: target ?? '/' }).end()
  })
  web = createFetchWeb({ clock: virtualClock(), resolve, own: () => ['127.0.0.1', '198.41.0.4', '2a01:4f8:0:1::2'] })
})
afterAll(async () => {
  await web.dispose()
  await site.close()
  await secret.close()
})

const fetching = async (url: string): Promise<string> => {
  try {
    const { status } = await web.fetch({
      url,
      timeoutMs: 1000,
      maxBytes: 1000,
      allow: [`127.0.0.1:${site.port}`],
      signal: new AbortController().signal,
    })
    return `answered ${status}`
  } catch (error) {
    return error instanceof Error && 'code' in error ? String(error.code) : String(error)
  }
}

const hosts = [
  '127.0.0.1',
  '127.1',
  '127.0.1',
  '2130706433',
  '0x7f000001',
  '0x7f.1',
  '017700000001',
  '0177.0.0.1',
  '127.0.0.1.',
  '0',
  '0.0.0.0',
  '00000177.1',
  '①②⑦.0.0.1',
  '127。0。0。1',
  '%31%32%37.0.0.1',
  '10.0.0.1',
  '0xa000001',
  '167772161',
  '012.1',
  '172.16.5.5',
  '192.168.1.1',
  '3232235777',
  '169.254.169.254',
  '0xa9fea9fe',
  '2852039166',
  '0251.0376.0251.0376',
  '100.100.100.200',
  '100.64.0.1',
  '168.63.129.16',
  '192.0.0.192',
  '198.18.0.1',
  '203.0.113.1',
  '224.0.0.251',
  '240.0.0.1',
  '255.255.255.255',
  '[::1]',
  '[::]',
  '[0:0:0:0:0:0:0:1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:7f00:1]',
  '[::ffff:a9fe:a9fe]',
  '[::127.0.0.1]',
  '[64:ff9b::7f00:1]',
  '[64:ff9b:1::1]',
  '[2002:7f00:1::]',
  '[2001:0:7f00:1::1]',
  '[fd00:ec2::254]',
  '[fc00::1]',
  '[fe80::1]',
  '[fec0::1]',
  '[ff02::1]',
  '[2001:db8::1]',
  '[100::1]',
  '[::ffff:0:127.0.0.1]',
  'localhost',
  'LOCALHOST',
  'localhost.',
  'a.localhost',
  'metadata.google.internal',
  'METADATA.google.internal.',
  'printer.local',
  'router.home.arpa',
  'private.example',
  'loop.example',
  'mixed.example',
  'mixed6.example',
  'mapped.example',
  'own.example',
  'own6.example',
  'own-nat64.example',
  '198.41.0.4',
  '[2a01:4f8:0:1::2]',
  '[::ffff:198.41.0.4]',
  '[2002:c629:4::1]',
  'zone.example',
  'meta.example',
  'odd.example',
  'bücher.example',
  'ＬＯＯＰ.example',
]
const badUrls = [
  'file:///etc/passwd',
  'ftp://93.184.216.34/',
  'gopher://127.0.0.1:6379/_INFO',
  'data:text/plain,hi',
  'javascript:1',
  'blob:http://x/1',
  'ws://93.184.216.34/',
  'about:blank',
  'example.com/page',
  '//example.com',
  '/page',
  '',
  'http://',
  'http:///',
  'http://[::1',
  'http://[fe80::1%25eth0]/',
  'http://256.256.256.256/',
  'http://1.2.3.4.5/',
  'http://a b/',
  'http://x:99999/',
  'http://0x100000000/',
  'http://user@93.184.216.34/',
  'http://user:pass@93.184.216.34/',
  'http://:p@93.184.216.34/',
  `http://93.184.216.34/${'a'.repeat(9000)}`,
]

describe('what the guarded web refuses', () => {
  it.each(hosts)('http://%s/', async (host) =>
    expect(await fetching(`http://${host}:${secret.port}/`)).toBe('address-refused'),
  )
  it.each(badUrls)('%s as no URL to fetch', async (url) => expect(await fetching(url)).toBe('bad-url'))
  it.each(['unknown.example', 'empty.example'])('%s as not to be found', async (host) =>
    expect(await fetching(`http://${host}/`)).toBe('web-unreachable'),
  )
  it('what other readers of URLs would take for a user name', async () =>
    expect(await fetching(`http://127.0.0.1:${secret.port}\\@93.184.216.34/`)).toBe('address-refused'))
  it('never came through', () => expect(secret.heard).toEqual([]))
})

describe('what the guarded web refuses behind a redirect', () => {
  const targets = [
    'http://127.0.0.1:PORT/',
    '//127.0.0.1:PORT/',
    'http://0x7f.1:PORT/',
    'http://[::ffff:127.0.0.1]:PORT/',
    'http://private.example/',
    'http://localhost:PORT/',
    'https://[::1]/',
    'http://169.254.169.254/latest/meta-data/',
    'http://mixed.example/',
  ]
  it.each(targets)('to %s, at once', async (target) => {
    expect(await fetching(`${site.origin}/to?${target.replace('PORT', String(secret.port))}`)).toBe('address-refused')
  })
  it.each(targets)('to %s, after four harmless ones', async (target) => {
    expect(await fetching(`${site.origin}/hops?4&${target.replace('PORT', String(secret.port))}`)).toBe(
      'address-refused',
    )
  })
  it.each([
    'file:///etc/passwd',
    'ftp://x/',
    'http://u:p@93.184.216.34/',
    'javascript:alert(1)',
    'http://[::1%25lo]/',
    'http://',
  ])('to %s, which is no URL to fetch', async (target) => {
    expect(await fetching(`${site.origin}/to?${target}`)).toBe('bad-url')
  })
  it('by the port too, where the person named one', async () =>
    expect(await fetching(`${site.origin}/to?http://127.0.0.1:${secret.port}/`)).toBe('address-refused'))
  it('that never ends, after five', async () => {
    const before = site.heard.length
    expect(await fetching(`${site.origin}/hops?9999&/`)).toBe('too-many-redirects')
    expect(site.heard.length - before).toBe(6)
  })
  it('never came through', () => expect(secret.heard).toEqual([]))
})
