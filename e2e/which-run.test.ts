import { readdirSync, readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { alone, onlyInTestAll, topics } from './which-run.ts'

const root = resolve(import.meta.dirname, '..')
const tests = ['electron', 'shared', 'renderer', 'scripts', 'e2e'].flatMap((folder) =>
  readdirSync(resolve(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path.replaceAll('\\', '/')}`)
    .filter((path) => /\.(test|spec)\.tsx?$/.test(path) && !path.includes('node_modules')),
)

describe('what runs when', () => {
  it.each([...Object.entries(onlyInTestAll), ...Object.entries(alone)])('%s is there, and says why', (file, why) => {
    expect(tests).toContain(file)
    expect(why.length).toBeGreaterThan(20)
  })

  it('leaves `npm test` the greater part of all files', () => {
    expect(Object.keys(onlyInTestAll).length).toBeLessThan(tests.length / 10)
  })

  it.each(Object.entries(topics))('the topic %s finds tests by each of its words', (topic, words) => {
    for (const word of [topic, ...words])
      expect(
        tests.filter((file) => file.includes(word)),
        word,
      ).not.toEqual([])
  })
})

describe('every test file', () => {
  const own = 'e2e/which-run.test.ts'
  const texts = tests
    .filter((file) => file !== own)
    .map((file) => ({ file, text: readFileSync(resolve(root, file), 'utf8') }))
  const those = (wrong: RegExp) => texts.filter(({ text }) => wrong.test(text)).map(({ file }) => file)

  it('says why it skips: by `unless(why)`, or a note', () => {
    expect(those(/\b(describe|it)\.(skip|skipIf|runIf|todo|only)\b/)).toEqual([])
  })

  it('is never tried again until it passes', () => {
    expect(those(/\bretry: [1-9]/)).toEqual([])
  })

  it('asks for runs of properties by `runs(n)`', () => {
    expect(those(/\bnumRuns\b/)).toEqual([])
  })

  it('waits for real things by `waitFor`, which is patient', () => {
    expect(those(/\bvi\.wait(For|Until)\(|\bpoll\([^;]*timeout:/)).toEqual([])
  })
})
