/** Objects made for a request have fields and methods, and no getters: see `Mutable` in base/mutable.ts. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseSync, Visitor } from 'vite'
import { describe, expect, it } from 'vitest'

/** Folders of the engine whose objects are made for a request, or for a part of it. */
const folders = [
  'clock',
  'gateway',
  'pipeline',
  'protocol',
  'providers',
  'records',
  'router',
  'servertools',
  'sessions',
  'store',
]

const why =
  'V8 keeps the accessors of an object literal in its old generation, and with them the whole request they close ' +
  'over: assign a field (`Mutable` in base/mutable.ts) or make it a method.'

/** Lines with a getter or setter of an object literal; those of a class are on its prototype, made once. */
function accessorLines(name: string, source: string): number[] {
  const { program, errors } = parseSync(name, source)
  if (errors.length > 0) throw new Error(`${name} can't be parsed`, { cause: errors[0] })
  const found: number[] = []
  new Visitor({
    Property(node) {
      if (node.kind !== 'init') found.push(source.slice(0, node.start).split('\n').length)
    },
  }).visit(program)
  return found
}

const sourcesIn = (folder: string): readonly string[] =>
  readdirSync(join(import.meta.dirname, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => join(folder, path).replaceAll('\\', '/'))
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.includes('/testing/'))

describe('getters and setters', () => {
  it.each(folders)('are in no object literal of %s', (folder) => {
    const sources = sourcesIn(folder)
    const found = sources.flatMap((path) =>
      accessorLines(path, readFileSync(join(import.meta.dirname, path), 'utf8')).map((line) => `${path}:${line}`),
    )
    expect(sources.length).toBeGreaterThan(5)
    expect(found, why).toEqual([])
  })

  it('are told from methods, fields and the getters of a class', () => {
    const sample = `
      export class Frame { get raw() { return '{' } set raw(_: string) {} static get one() { return 1 } }
      interface Shown { get raw(): string; set raw(value: string) }
      const { get: given = 1, ...rest } = other
      // { get comment() {} }
      const text = '{ get text() {} }' + \`{ get template() {} }\`
      export const fine = { get(key: string) { return key }, set: 1, get: given, getAll() {}, 'get x': rest, text }
      export const first = { get hidden() { return true } }
      export const within = () => [{ a: { set ['b'](value: number) { use(value) } } }]
      export class Maker { make() { return { get
        later() { return this } } } }
    `
    expect(accessorLines('sample.ts', sample)).toEqual([8, 9, 10])
  })
})
