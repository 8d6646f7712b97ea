import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, sep } from 'node:path'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { tempFolders } from './engine/store/testing/temp-folder.ts'
import { keepScripts } from './kept-scripts.ts'

const temp = tempFolders()
const part = (sign: string) =>
  `exports.reckon = (a, b) => a ${sign} b\nexports.fail = () => { throw new Error('no') }\n`

/** A program of two files, whose starts the test distinguishes. */
async function program() {
  const root = await temp()
  const own = join(root, 'main')
  const folder = join(root, 'kept')
  for (const path of [own, folder]) await mkdir(path)
  const write = (name: string, text: string) => writeFileSync(join(own, name), text)
  write('package.json', '{ "type": "commonjs" }')
  write('part.js', part('+'))
  write(
    'main.js',
    `exports.six = () => require('./part.js').reckon(4, 2)\nexports.sep = require('node:path').sep\n` +
      "exports.part = () => require('./part.js')\n",
  )
  const require = createRequire(join(own, 'x.js'))
  const load = (name: string) => {
    delete require.cache[join(own, name)]
    return require(`./${name}`) as { six(): number; sep: string; part(): unknown; fail(): void }
  }
  const kept = () => readdirSync(folder).map((name) => join(folder, name))
  return {
    own,
    write,
    load,
    kept,
    /** what is written anew is another file of the system */
    asWritten: () => kept().map((path) => statSync(path).ino),
    start(into = folder) {
      const save = keepScripts({ own, folder: into })
      const found = { part: load('part.js'), main: load('main.js') }
      const six = found.main.six()
      save()
      return { ...found, six }
    },
  }
}

describe('scripts whose compiled code is kept', () => {
  it('run from what is kept as they ran the first time', async () => {
    const { start, kept, asWritten } = await program()
    expect(start()).toMatchObject({ six: 6, main: { sep } })
    expect(kept()).toHaveLength(2)
    const written = asWritten()
    expect(start()).toMatchObject({ six: 6, main: { sep } })
    expect(asWritten()).toEqual(written)
  })
  it('are compiled anew after a change, of the same length too', async () => {
    const { start, write } = await program()
    start()
    write('part.js', part('-'))
    expect(start().six).toBe(2)
    expect(start().six).toBe(2)
  })
  it.each<[string, (data: Buffer) => Buffer]>([
    ['was cut', (data) => data.subarray(0, data.length >> 1)],
    ['is empty', () => Buffer.alloc(0)],
    ['has a bit changed', (data) => (data.writeUInt8(data.readUInt8(data.length - 9) ^ 1, data.length - 9), data)],
    [
      'is of another V8',
      (data) => {
        data.writeUInt32LE(data.readUInt32LE(12) ^ 1, 12)
        data.writeUInt32LE(crc32(data.subarray(8)), 4)
        return data
      },
    ],
  ])('are compiled anew where what is kept %s', async (_, spoil) => {
    const { start, kept } = await program()
    start()
    const whole = kept().map((path) => readFileSync(path))
    for (const path of kept()) writeFileSync(path, spoil(readFileSync(path)))
    expect(start().six).toBe(6)
    expect(kept().map((path) => readFileSync(path).length)).toEqual(whole.map((data) => data.length))
    expect(start().six).toBe(6)
  })
  it('run where nothing can be written', async () => {
    const { start, own } = await program()
    expect(start(join(own, 'none')).six).toBe(6)
  })
  it('say where an error is, as ever', async () => {
    const { start, load, own } = await program()
    const whereOf = (fail: () => void) => {
      try {
        return fail()
      } catch (error) {
        return error instanceof Error && error.stack?.split('\n')[1]?.replace(/.*\((.*)\)/, '$1')
      }
    }
    start()
    const { fail } = start().part
    expect(whereOf(fail)).toBe(`${join(own, 'part.js')}:2:30`)
    expect(whereOf(load('part.js').fail)).toBe(whereOf(fail))
  })
  it('are only those of the program', async () => {
    const { load, kept, own } = await program()
    const save = keepScripts({ own: join(own, 'other'), folder: own })
    expect(load('main.js').six()).toBe(6)
    save()
    expect(kept()).toEqual([])
  })
  it('are run from what is kept when they are loaded later, and keep nothing more', async () => {
    const { start, load, kept, asWritten, write } = await program()
    start()
    const written = asWritten()
    expect(load('part.js')).toBeDefined()
    expect(load('main.js').six()).toBe(6)
    write('later.js', part('*'))
    expect(load('later.js')).toBeDefined()
    expect(kept()).toHaveLength(2)
    expect(asWritten()).toEqual(written)
  })
  it('are run once, whoever asks for them first', async () => {
    const { start, load, write } = await program()
    const { main, part } = start()
    expect(main.part()).toBe(part)
    write('again.js', "exports.part = () => require('./later.js')")
    write('later.js', '')
    const later = (load('again.js') as unknown as { part(): unknown }).part()
    expect(load('later.js')).toBe(later)
  })
  it('may require each other', async () => {
    const { start, load, write } = await program()
    start()
    write('one.js', "exports.early = 1\nexports.other = require('./two.js')\nexports.late = 2\n")
    write('two.js', "const one = require('./one.js')\nexports.then = one.early\nexports.late = () => one.late\n")
    const { other } = load('one.js') as unknown as { other: { then: number; late(): number } }
    expect(other.then).toBe(1)
    expect(other.late()).toBe(2)
  })
  it('are run again after they failed', async () => {
    const { start, load, write } = await program()
    start()
    write('fails.js', "throw new Error('not yet')")
    expect(() => load('fails.js')).toThrow('not yet')
    write('fails.js', 'exports.six = () => 6')
    expect(load('fails.js').six()).toBe(6)
  })
  it('may be large, and hold signs beyond ASCII', async () => {
    const { start, write, kept } = await program()
    write('part.js', `exports.reckon = () => 6 // ${'6'.repeat(400_000)}\n`)
    write('main.js', "exports.six = () => require('./part.js').reckon()\nexports.sep = '检查'\n")
    for (let i = 0; i < 2; i++) expect(start()).toMatchObject({ six: 6, main: { sep: '检查' } })
    expect(kept()).toHaveLength(2)
  })
})
