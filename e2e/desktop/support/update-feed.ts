/** A place with new versions on loopback, and an installed AppImage that looks there. */
import { createHash } from 'node:crypto'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join, resolve } from 'node:path'

const built = resolve(import.meta.dirname, '../../../out')

export interface Feed {
  url: string
  /** what was asked for, with its headers */
  asked: { path: string; headers: Readonly<Record<string, unknown>> }[]
  /** what stands there from now on; null: nothing */
  announce(release: Release | null): void
  stop(): Promise<void>
}

export interface Release {
  version: string
  notes?: string
  /** the file as it is announced */
  file: string
  /** what comes instead; with `breaksOff` the connection ends in the middle */
  sent?: string
  breaksOff?: boolean
}

const fileName = 'Onward-new.AppImage'

export async function startFeed(): Promise<Feed> {
  let release: Release | null = null
  const asked: Feed['asked'] = []
  const server = createServer((request, response) => {
    const path = new URL(request.url ?? '/', 'http://feed').pathname
    asked.push({ path, headers: request.headers })
    if (release === null) return void response.writeHead(404).end()
    if (path === '/latest-linux.yml') return void response.end(announcement(release))
    if (path !== `/${fileName}`) return void response.writeHead(404).end()
    const body = release.sent ?? release.file
    // A part of it is asked for when the old file might hold the rest.
    response.writeHead(200, { 'content-length': Buffer.byteLength(body) })
    if (!release.breaksOff) return void response.end(body)
    response.write(body.slice(0, body.length / 2))
    setImmediate(() => response.destroy())
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    announce(next) {
      release = next
    },
    async stop() {
      server.closeAllConnections()
      await new Promise((done) => server.close(done))
    },
  }
}

function announcement({ version, notes, file }: Release): string {
  const sha512 = createHash('sha512').update(file).digest('base64')
  return [
    `version: ${version}`,
    'files:',
    `  - url: ${fileName}`,
    `    sha512: ${sha512}`,
    `    size: ${Buffer.byteLength(file)}`,
    `path: ${fileName}`,
    `sha512: ${sha512}`,
    ...(notes === undefined ? [] : [`releaseNotes: ${JSON.stringify(notes)}`]),
    "releaseDate: '2026-11-24T00:00:00.000Z'",
    '',
  ].join('\n')
}

export interface InstalledAppImage {
  main: string
  env: Readonly<Record<string, string>>
  /** the one file a person has */
  file: string
  content(): string
  remove(): void
}

export const oldProgram = '#!/bin/sh\nexit 0\n'

/** The build under test, laid out as a mounted AppImage is. */
export function installAppImage(feed: string | null): InstalledAppImage {
  const artifacts = resolve(import.meta.dirname, '../../.artifacts')
  mkdirSync(artifacts, { recursive: true })
  const folder = mkdtempSync(join(artifacts, 'appimage-'))
  const resources = join(folder, 'mounted/resources')
  const app = join(resources, 'app.asar.unpacked')
  mkdirSync(join(app, 'out'), { recursive: true })
  cpSync(join(built, 'main'), join(app, 'out/main'), { recursive: true, filter: (path) => !path.endsWith('.map') })
  for (const part of ['renderer', 'preload']) symlinkSync(join(built, part), join(app, 'out', part))
  symlinkSync(resolve(built, '../build'), join(app, 'build'))
  cpSync(resolve(built, '../package.json'), join(app, 'package.json'))
  if (feed !== null)
    writeFileSync(
      join(resources, 'app-update.yml'),
      `provider: generic\nurl: ${feed}\nupdaterCacheDirName: onward-updater\n`,
    )
  const file = join(folder, 'Onward.AppImage')
  writeFileSync(file, oldProgram)
  chmodSync(file, 0o755)
  return {
    main: join(app, 'out/main/main.js'),
    file,
    env: {
      APPIMAGE: file,
      APPDIR: join(folder, 'mounted'),
      DOUBLE_RESOURCES: resources,
      XDG_CACHE_HOME: join(folder, 'cache'),
    },
    content: () => readFileSync(file, 'utf8'),
    remove: () => rmSync(folder, { recursive: true, force: true }),
  }
}
