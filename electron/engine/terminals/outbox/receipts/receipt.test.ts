import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sameFolded } from './folding.ts'
import { findReceipts, sentWithWords } from './receipt.ts'
import { entryOf, samplePhases } from '../testing/entries.ts'
import { runs } from '../../../../../shared/testing/runs.ts'

const wrapped = (text: string, id = 'a1b2') => `\n\n<pasted_content id="${id}">\n${text}\n</pasted_content id="${id}">`
const text = 'Run the tests\nand mend what fails.'

describe('a receipt', () => {
  const submitted = () => entryOf(samplePhases.submitted, { text })
  it.each<[string, string[], boolean, boolean]>([
    // what the client sent, proves it, is ours as a whole
    ['bare', [text], true, true],
    ['with folded white space', ['  Run the tests and  mend\twhat fails.\n'], true, true],
    ['with CRLF', ['Run the tests\r\nand mend what fails.'], true, true],
    ['in Claude Code’s paste wrapper', [wrapped(text)], true, true],
    ['in a wrapper whose end tag has no id', [`<pasted_content id="x">${text}</pasted_content>`], true, true],
    ['as one of several texts', ['<system-reminder>x</system-reminder>', text], true, true],
    ['in a wrapper behind words of the person', [`look: ${wrapped(text)}`], true, false],
    [
      'in one of two wrappers whose end tags have no id',
      [`<pasted_content id="x">other</pasted_content> <pasted_content id="y">${text}</pasted_content>`],
      true,
      false,
    ],
    ['in one of two wrappers', [wrapped('other', 'o') + wrapped(text)], true, false],
    ['with words before it', [`please: ${text}`], false, false],
    ['with words after it', [`${text} now`], false, false],
    ['half of it', ['Run the tests'], false, false],
    ['as a paragraph of a longer text', [`hello\n\n${text}`], false, false],
    ['in other letters', [text.toUpperCase()], false, false],
    ['in a wrapper that never ends', [`<pasted_content id="x">${text}`], false, false],
    ['in a wrapper of another id', [`<pasted_content id="x">${text}</pasted_content id="y">`], false, false],
    ['empty', [''], false, false],
    ['no text at all', [], false, false],
  ])('%s', (_, texts, proves, ours) => {
    const entry = submitted()
    const look = findReceipts([entry], texts)
    expect(look.proves).toEqual(proves ? [entry.id] : [])
    expect(look.ours.some(Boolean)).toBe(ours)
    expect(look.ours).toHaveLength(texts.length)
  })

  it.each([
    // Gemini CLI 0.61.0 and Qwen Code 0.24.4, once they have read what a reference names
    ['a space before every @', 'see @src/x.ts and mail ada@example.org', 'see @src/x.ts and mail ada @example.org'],
    ['and in brackets', 'Look at (@src/x.ts) and @./src/x.ts,\nthen', 'Look at ( @src/x.ts) and @./src/x.ts,\nthen'],
    ['a name without its backslashes', 'read @with\\ space.md and go on', 'read @with space.md and go on'],
    // Gemini CLI
    ['a folder as all that is in it', 'list @src and go on', 'list @src/** and go on'],
    ['a file found further below', 'find @deep.md and go on', 'find @below/deeper/deep.md and go on'],
    ['a whole path, seen from the folder', 'read @/home/ada/app/x.md, then', 'read @x.md, then'],
  ])('comes where the agent writes references its own way: %s', (_, typed, sent) => {
    const entry = entryOf(samplePhases.submitted, { text: typed })
    expect(findReceipts([entry], [sent, 'the content of a file'])).toEqual({
      ours: [true, false],
      proves: [entry.id],
    })
  })

  it.each([
    ['another file', 'see @src/x.ts and go on', 'see @src/y.ts and go on'],
    ['other words around it', 'see @src/x.ts and go on', 'see @src/x.ts and stop'],
    ['words before it', 'see @src/x.ts and go on', 'please see @src/x.ts and go on'],
    ['a reference more', 'see @src/x.ts and go on', 'see @src/x.ts and @src/y.ts go on'],
    ['no reference', 'mail a b', 'mail a  @b'],
  ])('does not come for a message with %s', (_, typed, sent) => {
    const entry = entryOf(samplePhases.submitted, { text: typed })
    expect(findReceipts([entry], [sent])).toEqual({ ours: [false], proves: [] })
  })

  it.each([
    ['submitted', true],
    ['typing', true],
    ['owed', true],
    ['unknown', true],
    ['failed', true],
    ['queued', false],
    ['unsent', false],
    ['confirmed', false],
    ['cancelled', false],
    ['superseded', false],
    ['expired', false],
  ] as const)('can come for %s: %s, and its text is never read for markers', (sample, can) => {
    const entry = entryOf(samplePhases[sample], { text })
    expect(findReceipts([entry], [text])).toEqual({ ours: [true], proves: can ? [entry.id] : [] })
  })

  it('proves one entry per block, the one that waits for proof first', () => {
    const failed = entryOf(samplePhases.failed, { text })
    const unknown = entryOf(samplePhases.unknown, { text })
    const waits = entryOf({ ...samplePhases.submitted, typedAt: 50 }, { text })
    expect(findReceipts([failed, unknown, waits], [text]).proves).toEqual([waits.id])
    // several queued lines arrive merged into one message, as separate blocks
    expect(findReceipts([failed, unknown, waits], [text, text]).proves).toEqual([waits.id, unknown.id])
  })

  it('cannot come late for what was typed before something that has arrived since', () => {
    const early = entryOf({ ...samplePhases.failed, typedAt: 5 }, { text })
    const arrived = entryOf({ ...samplePhases.confirmed, typedAt: 8 }, { text })
    const later = entryOf({ ...samplePhases.failed, typedAt: 9 }, { text })
    expect(findReceipts([early, arrived], [text])).toEqual({ ours: [true], proves: [] })
    expect(findReceipts([early, arrived, later], [text]).proves).toEqual([later.id])
  })

  it('costs nothing when nothing was ever queued', () => {
    expect(findReceipts([], [text, 'x'])).toEqual({ ours: [false, false], proves: [] })
  })
})

describe('folding white space', () => {
  const fold = (s: string) => s.replace(/\s+/g, ' ').trim()
  const messy = fc.string({
    unit: fc.constantFrom('a', 'b', ' ', '\n', '\t', '\u3000', '\u00a0', '\ufeff', '継', '\u200b'),
  })
  it('agrees with folding both sides', () => {
    fc.assert(
      fc.property(messy, messy, (a, b) => {
        expect(sameFolded(a, b)).toBe(fold(a) === fold(b))
      }),
      runs(100),
    )
    fc.assert(
      fc.property(messy, (a) => {
        expect(sameFolded(a, fold(a))).toBe(true)
      }),
      runs(100),
    )
  })
})

describe('a text that a person sends together with words of their own', () => {
  it.each([
    ['with words behind it', `${text} plus mine`, true],
    ['grown together with them', `${text.replace('\n', ' ')}plus mine`, true],
    ['with words before it', `please: ${text}`, true],
    ['with words on both sides', `please: ${text} now`, true],
    ['half of it', 'Run the tests plus mine', false],
    ['nothing of it', 'plus mine', false],
  ])('is proved by the message: %s', (_, message, proves) => {
    const entry = entryOf(samplePhases.submitted, { text })
    expect(sentWithWords([entry], [message])).toEqual(proves ? [entry.id] : [])
  })

  it.each([
    ['submitted', true],
    ['typing', true],
    ['owed', true],
    ['unknown', false],
    ['failed', false],
    ['queued', false],
    ['confirmed', false],
    ['superseded', false],
  ] as const)('was on its way just now: %s', (sample, can) => {
    const entry = entryOf(samplePhases[sample], { text })
    expect(sentWithWords([entry], [`${text} plus mine`])).toEqual(can ? [entry.id] : [])
  })

  it('is not said by chance: a short text counts at an end of the message only', () => {
    const entry = entryOf(samplePhases.submitted, { text: 'go on' })
    expect(sentWithWords([entry], ['should I go on with it?'])).toEqual([])
    expect(sentWithWords([entry], ['go onplus mine'])).toEqual([entry.id])
  })
})
