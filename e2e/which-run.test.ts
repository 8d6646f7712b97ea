import { describe, expect, it } from 'vitest'
import { longestFirst, notInRest, notInTest, testFiles, textOf } from './test-files.ts'
import { afterTest, alone, longest, onlyInTestAll, topics } from './which-run.ts'

const tests = testFiles()

describe('what runs when', () => {
  const after = Object.entries(afterTest).flatMap(([why, files]) => files.map((file) => [file, why] as const))
  it.each([...after, ...Object.entries(onlyInTestAll), ...Object.entries(alone)])(
    '%s is there, and says why',
    (file, why) => {
      expect(tests).toContain(file)
      expect(why.length).toBeGreaterThan(20)
    },
  )

  it('leaves `npm test` the greater part of all files, and names none twice', () => {
    expect(notInTest().length).toBeLessThan(tests.length / 5)
    expect(new Set(notInTest()).size).toBe(notInTest().length)
  })

  it('leaves the second run of a machine that ran `npm test` the files and cases of CI that it did not have', () => {
    const left = new Set(notInRest())
    const rest = tests.filter((file) => !left.has(file))
    for (const [file] of after) expect(rest).toContain(file)
    expect(rest.filter((file) => file in onlyInTestAll)).toEqual([])
    expect(rest).not.toContain('e2e/which-run.test.ts')
    // a case of it is in `npm test`, all are in CI
    expect(rest).toContain('electron/engine/pipeline/fleet.test.ts')
  })

  it('starts the longest of the files that CI runs first', () => {
    const left = new Set(notInRest())
    expect(longest.filter((file) => !tests.includes(file) || left.has(file))).toEqual([])
    const others = tests.filter((file) => !longest.includes(file)).map((moduleId) => ({ moduleId }))
    const shuffled = [...others, ...longest.toReversed().map((file) => ({ moduleId: `/home/someone/onward/${file}` }))]
    const sorted = longestFirst(shuffled)
    expect(sorted.slice(0, longest.length).map(({ moduleId }) => moduleId)).toEqual(
      longest.map((file) => `/home/someone/onward/${file}`),
    )
    expect(sorted.slice(longest.length)).toEqual(others)
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
