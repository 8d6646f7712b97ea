import { describe, expect, it } from 'vitest'
import { sameInBoth, testFiles, textOf } from './test-files.ts'
import { alone, onlyInTestAll, topics } from './which-run.ts'

const tests = testFiles()

describe('what runs when', () => {
  it.each([...Object.entries(onlyInTestAll), ...Object.entries(alone)])('%s is there, and says why', (file, why) => {
    expect(tests).toContain(file)
    expect(why.length).toBeGreaterThan(20)
  })

  it('leaves `npm test` the greater part of all files', () => {
    expect(Object.keys(onlyInTestAll).length).toBeLessThan(tests.length / 10)
  })

  it('leaves the second run of a machine that ran `npm test` the files and cases it did not have', () => {
    const same = sameInBoth()
    expect(same.filter((file) => file in onlyInTestAll)).toEqual([])
    expect(same).toContain('e2e/which-run.test.ts')
    expect(same).not.toContain('e2e/codex-dialog.spec.ts')
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
  const texts = tests.filter((file) => file !== own).map((file) => ({ file, text: textOf(file) }))
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
