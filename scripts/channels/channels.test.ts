/** What channels are handed: all of it from one table, and no text of it is taken for a part of the form. */
import { createHash } from 'node:crypto'
import { spawnSync } from 'node:child_process'
import { readFileSync, rmSync } from 'node:fs'
import { Ajv } from 'ajv'
import domino from '@mixmark-io/domino'
import fc from 'fast-check'
import { createRequire } from 'node:module'
import { join, resolve } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runs } from '../../shared/testing/runs.ts'
import { hostileText } from './testing/hostile-text.ts'
import { releaseFolder, tableOf } from './testing/release-folder.ts'
import { channels } from './write-channels.mjs'

const { load } = createRequire(import.meta.url)('js-yaml') as { load(text: string): unknown }

const folder = releaseFolder()
afterAll(() => rmSync(folder, { recursive: true, force: true }))

type Files = Record<string, string>
const written = (facts: Record<string, unknown> = {}): Record<keyof typeof channels, Files> => {
  const table = tableOf(folder, facts)
  const entries = Object.entries(channels).map(([name, { write }]) => [name, write(table) as Files])
  return Object.fromEntries(entries) as Record<keyof typeof channels, Files>
}
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')

describe('each channel', () => {
  it.each([
    ['homebrew', ['onward-0.1.0.tgz', 'Onward-0.1.0-arm64.dmg', 'Onward-0.1.0.dmg']],
    ['winget', ['Onward-Setup-0.1.0.exe']],
    ['scoop', ['Onward-Setup-0.1.0.exe']],
    ['aur', ['onward_0.1.0_amd64.deb']],
    ['nix', ['onward_0.1.0_amd64.deb']],
    ['flatpak', ['onward_0.1.0_amd64.deb']],
  ] as const)('%s names its files by where they are published and by what they hold', (channel, files) => {
    const text = Object.values(written()[channel]).join('\n')
    for (const file of files) {
      expect(text).toContain(`https://github.com/owner/onward/releases/download/v0.1.0/${file}`)
      expect(text.toLowerCase()).toContain(sha256(file))
    }
  })
})

describe('npm run channels', () => {
  const run = (from: string, homepage: string) =>
    spawnSync(process.execPath, [resolve('scripts/channels.mjs'), '--from', from, '--to', join(from, 'channels')], {
      encoding: 'utf8',
      env: { ...process.env, ONWARD_HOMEPAGE: homepage },
    })

  it('writes those whose files are there, and names what the others lack', () => {
    const some = releaseFolder(['onward_0.1.0_amd64.deb', 'Onward-0.1.0.dmg'])
    const { status, stdout } = run(some, 'https://example.org/onward')
    expect(status).toBe(1)
    expect(stdout).toContain(`homebrew: left out, ${some} has no onward-0.1.0.tgz, Onward-0.1.0-arm64.dmg\n`)
    expect(stdout).toContain(`aur: ${join(some, 'channels/aur')}\n`)
    expect(readFileSync(join(some, 'channels/aur/PKGBUILD'), 'utf8')).toContain(sha256('onward_0.1.0_amd64.deb'))
    rmSync(some, { recursive: true, force: true })
  })

  it('asks where the release is published', () => {
    expect(run(folder, '')).toMatchObject({ status: 1, stdout: '', stderr: expect.stringMatching(/ONWARD_HOMEPAGE=/) })
  })
})

describe('the table refuses', () => {
  it.each([
    ['name', 'onward"; rm -rf ~'],
    ['name', '../onward'],
    ['title', 'On ward'],
    ['title', '#{exit}'],
    ['version', '0.1.0"'],
    ['version', '0.1'],
    ['version', '0.1.0\nevil'],
    ['license', "MIT' or true"],
    ['homepage', 'http://example.org'],
    ['homepage', 'https://example.org/$(id)'],
    ['summary', 'two\nlines'],
    ['summary', ''],
    ['description', 'a bell \u0007'],
    ['description', 'half of a pair \ud83e'],
    ['publisher', ' indented'],
    ['keywords', ['one', 'two\r\nthree']],
  ])('a %s like %j', (what, value) => {
    expect(() => tableOf(folder, { [what]: value })).toThrow(/can’t (be told|stand)/)
  })

  it('but takes a version before its release, which Arch writes in its own way', () => {
    const beta = releaseFolder(['onward_0.2.0-beta.1_amd64.deb'])
    const { PKGBUILD } = channels.aur.write(tableOf(beta, { version: '0.2.0-beta.1' }))
    rmSync(beta, { recursive: true, force: true })
    expect(PKGBUILD).toContain("\npkgver='0.2.0_beta.1'\n")
    expect(PKGBUILD).toContain('/v0.2.0-beta.1/onward_0.2.0-beta.1_amd64.deb')
  })
})

it('a text with any signs in it is read as itself by libraries', () => {
  fc.assert(
    fc.property(hostileText, (said) => {
      const { winget, scoop, flatpak } = written({
        summary: said,
        description: said,
        publisher: said,
        keywords: [said],
      })
      expect(load(winget['Onward.Onward.locale.en-US.yaml'] ?? '')).toMatchObject({
        Publisher: said,
        ShortDescription: said,
        Description: said,
        Tags: [said],
      })
      expect(JSON.parse(scoop['onward.json'] ?? '')).toMatchObject({ description: said })
      const page = domino.createDocument(flatpak['dev.onward.Onward.metainfo.xml'] ?? '')
      const element = (name: string) => page.querySelector(name)?.textContent
      expect([element('summary'), element('developer name'), element('p')]).toEqual([said, said, said])
      expect(entryOf(flatpak['dev.onward.Onward.desktop'] ?? '')).toMatchObject({ GenericName: said, Keywords: [said] })
    }),
    runs(1000),
  )
})

/** Reads as the desktop entry specification says, with none of the writer's code. */
function entryOf(file: string): Record<string, string | string[]> {
  const unescaped = (value: string) => value.replaceAll(/\\(.)/g, (_, sign: string) => (sign === 's' ? ' ' : sign))
  const pairs = file.split('\n').flatMap((line): [string, string | string[]][] => {
    const [, key = '', value = ''] = /^(\w+)=(.*)$/.exec(line) ?? []
    if (key === 'Keywords')
      return [[key, Array.from(value.matchAll(/((?:\\.|[^;\\])*);/g), ([, one = '']) => unescaped(one))]]
    return key === '' ? [] : [[key, unescaped(value)]]
  })
  return Object.fromEntries(pairs)
}

describe('the schema for SchemaStore', () => {
  const files = written().schemastore
  const schema = JSON.parse(files['onward.json'] ?? '') as Record<string, unknown>
  const entry = JSON.parse(files['catalog-entry.json'] ?? '') as Record<string, unknown>

  it('is a draft-07 schema under the address that the catalogue has, for the file of a home alone', () => {
    expect(schema).toMatchObject({ $schema: 'http://json-schema.org/draft-07/schema#', $id: entry.url })
    expect(entry).toMatchObject({ fileMatch: ['**/.onward/config.json'] })
  })

  it('has no word that draft-07 lacks, and judges a config as the engine does', () => {
    const check = new Ajv({ strict: true, allowUnionTypes: true, validateFormats: false }).compile(schema)
    expect(check({ $schema: './config.schema.json', server: { port: 1002 } })).toBe(true)
    expect(check({ server: { port: 'many' } })).toBe(false)
    expect(check({ sever: {} })).toBe(false)
  })
})
