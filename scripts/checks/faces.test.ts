/**
 * A room of the engine is one folder of `electron/engine`. Others import from the files at its top and at the top of
 * the folders that are named here: its faces. What lies deeper is its own, and a face is small enough to be taken in.
 */
import { createRequire } from 'node:module'
import { dirname, join, relative, sep } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../../electron/cli/testing/documents.ts'
import { importsOf, sourcesIn } from './imports.ts'

const MOST_NAMES = 40
const rooms = (createRequire(import.meta.url)('../layers.cjs') as readonly (readonly string[])[]).flat()

/** Folders with a face of their own. */
const faces: Readonly<Partial<Record<string, readonly string[]>>> = {
  base: ['calendar', 'network'],
  config: ['policy'],
  sessions: ['binding', 'clients', 'drives', 'identify'],
  clock: ['deliver', 'model', 'read-time'],
  terminals: ['agents', 'host', 'inbox', 'outbox', 'process', 'signals', 'tmux'],
  workspace: ['checks'],
  protocol: [
    'answer',
    'canonical',
    'canonical/kept',
    'canonical/thinking',
    'failures',
    'gemini',
    'images',
    'join',
    'json-bytes',
    'lens',
    'responses',
    'server-tools',
  ],
  markers: ['goals'],
  providers: ['undici', 'via'],
  servertools: [
    'clock',
    'ledger',
    'recover',
    'resume-at-reset',
    'review',
    'revive',
    'stop-message',
    'tool-rounds',
    'vision-auto',
  ],
  router: ['health', 'limits'],
  notifications: ['push'],
  pipeline: ['conversion-thread', 'drives', 'internal-calls', 'keep-warm', 'lend', 'request', 'rounds', 'send'],
  discovery: ['setup'],
  gateway: ['access', 'pages'],
  control: ['api', 'mcp', 'views'],
}

/** How many names a room shows in all, where that is more than a face's: these numbers may only fall. */
const large: Readonly<Partial<Record<string, number>>> = {
  base: 62,
  pipeline: 44,
  protocol: 127,
  servertools: 53,
  sessions: 85,
  terminals: 69,
}

const engine = join(root, 'electron/engine')
const roomOf = (path: string): string => relative(engine, path).split(sep)[0] ?? ''

/** file → the names of it that other rooms, and all that is around the engine, import */
const shown = new Map<string, Set<string>>()
for (const file of sourcesIn(join(root, 'electron')))
  for (const { path, names } of importsOf(file))
    if (rooms.includes(roomOf(path)) && roomOf(path) !== roomOf(file))
      shown.set(path, new Set([...(shown.get(path) ?? []), ...names]))

const namesOf = (files: readonly string[]) => new Set(files.flatMap((file) => [...(shown.get(file) ?? [])]))

describe.each(rooms)('%s', (room) => {
  const folders = [room, ...(faces[room] ?? []).map((name) => `${room}/${name}`)]
  const folderOf = (file: string): string => relative(engine, dirname(file)).replaceAll(sep, '/')
  const files = [...shown.keys()].filter((file) => roomOf(file) === room)

  it('is imported from its faces alone', () => {
    const hidden = files.filter((file) => !folders.includes(folderOf(file)))
    expect(hidden.map((file) => relative(engine, file))).toEqual([])
  })

  it.each(folders)(`shows some names, and at most ${MOST_NAMES}: %s`, (folder) => {
    const names = namesOf(files.filter((file) => folderOf(file) === folder))
    expect([...names].slice(MOST_NAMES)).toEqual([])
    expect(names.size).toBeGreaterThan(0)
  })

  it(`shows at most ${large[room] ?? MOST_NAMES} in all`, () =>
    expect(namesOf(files).size).toBeLessThanOrEqual(large[room] ?? MOST_NAMES))
})
