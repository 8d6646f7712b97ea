import { describe, expect, it } from 'vitest'
import { announcedAt, feedOf, isSafeFeed, newestAt } from './feed.ts'
import { plainNotes } from './plain-notes.ts'
import { troubleOf } from './trouble.ts'

describe('the place of new versions', () => {
  it('is what electron-builder wrote into the package', () => {
    expect(feedOf('provider: generic\nurl: https://example.com/onward\nupdaterCacheDirName: x\n')).toBe(
      'https://example.com/onward',
    )
    expect(feedOf("provider: generic\nurl: 'https://example.com/a b'\n")).toBeNull()
    expect(feedOf('provider: github\nowner: o\nrepo: r\n')).toBeNull()
  })

  it.each<[NodeJS.Platform, string, string]>([
    ['linux', 'x64', 'https://example.com/onward/latest-linux.yml'],
    ['linux', 'arm64', 'https://example.com/onward/latest-linux-arm64.yml'],
    ['darwin', 'arm64', 'https://example.com/onward/latest-mac.yml'],
    ['win32', 'x64', 'https://example.com/onward/latest.yml'],
  ])('has a file for %s %s', (platform, arch, address) => {
    expect(announcedAt('https://example.com/onward', platform, arch).href).toBe(address)
  })

  it('is asked over https, or on this machine', () => {
    expect(isSafeFeed('https://example.com/')).toBe(true)
    expect(isSafeFeed('http://127.0.0.1:8000/')).toBe(true)
    expect(isSafeFeed('http://example.com/')).toBe(false)
    expect(isSafeFeed('http://127.0.0.1.example.com/')).toBe(false)
  })

  const at = new URL('https://example.com/latest.yml')
  const answers =
    (text: string, status = 200) =>
    async () =>
      new Response(text, { status })
  it('says which version is the newest', async () => {
    expect(await newestAt(at, answers('version: 1.2.3-beta.1\nfiles: []\n'))).toBe('1.2.3-beta.1')
  })
  it.each<[string, typeof globalThis.fetch, URL, string]>([
    ['answers nothing of the kind', answers('<html>'), at, 'https://example.com/latest.yml names no version.'],
    ['refuses', answers('', 503), at, 'https://example.com/latest.yml answered 503.'],
    [
      'is not there',
      () => Promise.reject(new Error('no route')),
      at,
      'https://example.com could not be reached: no route.',
    ],
    [
      'does not encrypt',
      answers('version: 9.9.9'),
      new URL('http://example.com/latest.yml'),
      'http://example.com is not asked: it does not encrypt (https).',
    ],
  ])('is told of in a sentence when it %s', async (_what, fetch, address, message) => {
    await expect(newestAt(address, fetch)).rejects.toMatchObject({ code: 'update-check', message })
  })
})

describe('release notes', () => {
  it.each([
    ['plain *text*\n\n\n\nstays', 'plain *text*\n\nstays'],
    ['<h2>New</h2><ul><li>One &amp; two</li><li>three</li></ul>', 'New\n- One & two\n- three'],
    ['<script>alert(1)</script>a<img src=x onerror=y>b', 'ab'],
    ['a\u202eb\u001b[31mc', 'ab[31mc'],
    [
      [
        { version: '1.0.0', note: 'first' },
        { version: '0.9.0', note: null },
      ],
      'first',
    ],
    [null, ''],
  ])('%j', (given, plain) => {
    expect(plainNotes(given)).toBe(plain)
  })
  it('are no longer than a screen', () => {
    expect(plainNotes('x'.repeat(100_000)).length).toBeLessThan(4_100)
  })
})

describe('what went wrong', () => {
  const coded = (code: string, message = 'x') => Object.assign(new Error(message), { code })
  it.each([
    [coded('ERR_CHECKSUM_MISMATCH'), 'broken'],
    [coded('ERR_UPDATER_INVALID_SIGNATURE'), 'signature'],
    [coded('ERR_UPDATER_CHANNEL_FILE_NOT_FOUND'), 'no-version'],
    [coded('ERR_UPDATER_INVALID_VERSION'), 'feed'],
    [coded('HTTP_ERROR_503'), 'server'],
    [new Error('Cannot download "https://example.com/x", status 500: no'), 'server'],
    [coded('ENOTFOUND'), 'offline'],
    [new Error('net::ERR_INTERNET_DISCONNECTED'), 'offline'],
    [coded('ENOSPC'), 'disk'],
    [new Error('something else'), 'other'],
  ] as const)('%s is %s', (error, why) => {
    expect(troubleOf(error).why).toBe(why)
  })
  it('is said in one line', () => {
    expect(troubleOf(new Error('first\nheaders: {…}')).detail).toBe('first')
  })
})
