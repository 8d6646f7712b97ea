import { writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Install } from '../installed/install.ts'
import { installedParts } from '../installed/parts.ts'
import { cliHomes } from './testing/cli-homes.ts'
import { partsWith } from './testing/cli-parts.ts'
import { onward } from './testing/test-cli.ts'

const { home } = cliHomes()
const feed = { asked: [] as string[], newest: '9.9.9' }
let server: Server
let address = ''
beforeAll(async () => {
  server = createServer((request, response) => {
    feed.asked.push(request.url ?? '')
    response.end(`version: ${feed.newest}\nfiles: []\n`)
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(async () => {
  server.closeAllConnections()
  await new Promise((done) => server.close(done))
})
const as = (install: Install) => ({
  platform: 'linux' as const,
  parts: partsWith({ installed: async () => ({ ...installedParts({}), install }) }),
})
const npm = as({ kind: 'npm', at: '/usr/lib/node_modules/onward', feedFile: null })
const file = process.arch === 'x64' ? '/latest-linux.yml' : `/latest-linux-${process.arch}.yml`
async function withConfig(config: unknown, ...words: string[]) {
  const { path } = await home()
  if (config !== null) writeFileSync(join(path, 'config.json'), JSON.stringify(config))
  return onward(['update', '--home', path, ...words], npm)
}

describe('update', () => {
  it('knows an AppImage, whose command line is run from a mount of it', async () => {
    const { path } = await home()
    const ran = await onward(
      ['update', '--home', path],
      as({ kind: 'appimage', file: '/opt/Onward.AppImage', feedFile: null }),
    )
    expect(ran.out).toContain('Onward is an AppImage here, /opt/Onward.AppImage.')
  })

  it('says how a newer one is installed, and asks nobody', async () => {
    const { code, out } = await withConfig({ updates: { feed: address } })
    expect(code).toBe(0)
    expect(out).toContain('Onward 0.1.0. Onward is an npm package here, in /usr/lib/node_modules/onward.\n')
    expect(out).toContain('\n  npm install --global ./onward-<version>.tgz\n')
    expect(feed.asked).toEqual([])
  })

  it('with --check asks the server of the config, and says whether there is one', async () => {
    const { code, out } = await withConfig({ updates: { feed: address } }, '--check')
    expect(code).toBe(0)
    expect(feed.asked.splice(0)).toEqual([file])
    expect(out).toContain('Onward 9.9.9 is there.\n')
    feed.newest = '0.1.0'
    expect((await withConfig({ updates: { feed: address } }, '--check')).out).toContain('There is no newer one.\n')
    feed.newest = '9.9.9'
    feed.asked.length = 0
  })

  it('prints the same as JSON', async () => {
    const { out } = await withConfig({ updates: { feed: address } }, '--check', '--json')
    expect(JSON.parse(out)).toEqual({
      version: '0.1.0',
      installed: 'npm',
      at: '/usr/lib/node_modules/onward',
      steps: ['$ npm install --global ./onward-<version>.tgz'],
      newest: '9.9.9',
      newer: true,
    })
  })

  it.each<[string, unknown, string]>([
    ['no server is named', null, 'Neither the package nor the config names a server with new versions'],
    ['it is not encrypted', { updates: { feed: 'http://example.com/' } }, 'http://example.com is not asked'],
    ['nobody is there', { updates: { feed: 'http://127.0.0.1:1/' } }, 'http://127.0.0.1:1 could not be reached'],
  ])('with --check fails in one sentence where %s', async (_what, config, message) => {
    const { code, err } = await withConfig(config, '--check')
    expect(code).toBe(1)
    expect(err).toContain(message)
  })
})
