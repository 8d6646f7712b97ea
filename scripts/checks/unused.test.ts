import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { en } from '../../renderer/i18n/en.ts'

const root = resolve(import.meta.dirname, '../..')
const textOf = (tree: string, which: RegExp): string =>
  readdirSync(join(root, tree), { recursive: true, encoding: 'utf8' })
    .filter((file) => which.test(file) && !/\.test\.|^i18n\/(en|zh-CN)/.test(file))
    .map((file) => readFileSync(join(root, tree, file), 'utf8'))
    .join('\n')

const styles = textOf('renderer', /\.css$/).replaceAll(/\/\*.*?\*\//gs, '')
const code = textOf('renderer', /\.(tsx?|html|js)$/)

/** Classes that the code puts together from a kind, and those of what draws by itself: editor and terminal. */
const madeClass = /^(is|k|drop|cm|tok|xterm)-/
/** Steps of a colour that Mantine has, states' colours by their name, and those of the terminal. */
const madeVariable = /^--((accent|gray|dark)-\d|\w+-fill|term-\w+)$/

describe('the styles', () => {
  it('have no class that nothing on the page has', () => {
    const words = new Set(code.match(/[\w-]+/g))
    const selectors = styles.replaceAll(/@import[^;]*;|\{[^{}]*\}/g, '{')
    const classes = new Set([...selectors.matchAll(/\.([a-z][\w-]*)/g)].map(([, name]) => name ?? ''))
    expect([...classes].filter((name) => !words.has(name) && !madeClass.test(name))).toEqual([])
    expect(classes.size).toBeGreaterThan(300)
  })

  it('have no variable that nothing reads', () => {
    const read = new Set([...`${styles}${code}`.matchAll(/var\((--[\w-]+)/g)].map(([, name]) => name))
    const declared = new Set([...styles.matchAll(/(--[\w-]+):/g)].map(([, name]) => name ?? ''))
    expect([...declared].filter((name) => !read.has(name) && !madeVariable.test(name))).toEqual([])
    expect(declared.size).toBeGreaterThan(80)
  })
})

/** Every name of a dictionary, with its path. */
const namesIn = (node: object, path: string): (readonly [name: string, path: string])[] =>
  Object.entries(node).flatMap(([name, value]) => [
    [name, `${path}${name}`] as const,
    ...(typeof value === 'object' ? namesIn(value, `${path}${name}.`) : []),
  ])

it('has no word of the dashboard whose name stands nowhere in the code', () => {
  const all = code + textOf('shared', /\.ts$/)
  const said = new Set(all.match(/[\w$]+/g))
  /** the editor asks for its phrases by their English words; tools have their names from the engine */
  const made = { config: { ...en.config, editor: {} }, settings: { ...en.settings, toolAbout: {} } }
  const unsaid = namesIn({ ...en, ...made }, '')
    .filter(([name]) => !said.has(name) && !all.includes(`'${name}'`))
    .map(([, path]) => path)
  expect(unsaid).toEqual([])
})
