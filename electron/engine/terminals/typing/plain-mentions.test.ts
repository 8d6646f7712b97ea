import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clientKinds, type ClientKind } from '../../../../shared/words.ts'
import { runs } from '../../../../shared/testing/runs.ts'
import { plainMentions } from './plain-mentions.ts'
import { foldLines, makeSafe } from '../safe-text.ts'
import { opensOf } from './testing/agents-own-rules.ts'

const client = fc.constantFrom(...clientKinds)
const mentions = [
  '@',
  '@@',
  '@README.md',
  '@"with space"',
  '@./x',
  '@.',
  '$greet',
  '$HOME',
  '$HOME-x',
  '$',
  '[$x](/a/SKILL.md)',
  '[@x] (plugin://x)',
  '\\',
  '\\@x',
  'a@b.c',
  '(',
  '"',
  '`',
  '。',
  '？',
  ' ',
  '\n',
  '\t',
  '\u00a0',
  '\u3000',
  '\ufeff',
  '\u200b',
  '\u2060',
  '\ue000',
  '.',
  ',',
  '!ls',
  '/help',
  '- ',
  'x',
  '看',
]
const text = fc
  .array(fc.oneof({ weight: 4, arbitrary: fc.constantFrom(...mentions) }, fc.string({ unit: 'binary' })), {
    maxLength: 14,
  })
  .map((parts) => parts.join(''))

describe('a text that no person wrote', () => {
  it('leaves nothing that an agent opens by its own rules', () => {
    fc.assert(
      fc.property(text, client, (words, agent) => {
        expect(opensOf[agent](makeSafe(words, agent))).toEqual([])
        expect(opensOf[agent](foldLines(makeSafe(words, agent)))).toEqual([])
      }),
      runs(5000),
    )
  })

  it('is the same when made plain again, also by whoever does not know who wrote it', () => {
    fc.assert(
      fc.property(text, client, (words, agent) => {
        const safe = makeSafe(words, agent)
        expect(makeSafe(safe, agent)).toBe(safe)
        expect(makeSafe(safe)).toBe(safe)
        expect(plainMentions(plainMentions(words, agent), agent)).toBe(plainMentions(words, agent))
      }),
      runs(3000),
    )
  })

  it('has only backslashes more than before', () => {
    const bare = (words: string) => words.replaceAll('\\', '')
    fc.assert(
      fc.property(text, client, (words, agent) => {
        expect(bare(plainMentions(words, agent))).toBe(bare(words))
      }),
      runs(3000),
    )
  })

  it('is left alone where the agent would open nothing for it', () => {
    fc.assert(
      fc.property(fc.string(), fc.constantFrom<ClientKind>('opencode', 'other'), (words, agent) => {
        expect(plainMentions(words, agent)).toBe(words)
      }),
      runs(500),
    )
    for (const agent of clientKinds)
      expect(plainMentions('Run npm test, x < 3 (50 %) and write to `/tmp/a`.', agent)).toBe(
        'Run npm test, x < 3 (50 %) and write to `/tmp/a`.',
      )
  })

  it.each<[ClientKind, string, string]>([
    ['claude', 'see @src/x.ts. Then a@b.c', 'see \\@src/x.ts. Then a@b.c'],
    ['claude', '看。@"with space"', '看。\\@"with space"'],
    ['claude', 'see \u200b@x', 'see \u200b\\@x'],
    ['claude', 'UltraThink, then ultrareview it', 'Ultra-Think, then ultra-review it'],
    ['codex', 'ultrathink', 'ultrathink'],
    ['claude', '(@x) and `@y`', '(@x) and `@y`'],
    ['qwen', 'see @src/x.ts. Then a@b.c', 'see \\@src/x.ts. Then a@b.c'],
    ['qwen', 'at 9 @ home, a@b.c', 'at 9 \\@ home, a@b.c'],
    ['gemini', 'see @src/x.ts. Then (a@b.c) @ 9', 'see \\@src/x.ts. Then (a\\@b.c) @ 9'],
    ['gemini', '\\@x @@y', '\\@x \\@\\@y'],
    ['codex', 'use $greet in $HOME, @x', 'use $\\greet in $HOME, @x'],
    ['codex', '[$nope](/x/SKILL.md) [@p](plugin://p)', '[$\\nope](/x/SKILL.md) [\\@p](plugin://p)'],
  ])('for %s: %j becomes %j', (agent, words, plain) => {
    expect(plainMentions(words, agent)).toBe(plain)
  })

  it('needs no mark in front once its first character is escaped', () => {
    expect(makeSafe('@src/x.ts is wrong', 'qwen')).toBe('\\@src/x.ts is wrong')
    expect(makeSafe('@src/x.ts is wrong')).toBe('- @src/x.ts is wrong')
  })

  it('is made plain in linear time, a hundred thousand of anything', () => {
    for (const part of ['@', ' @', '\u200b', '\ufeff', '\u200b\ufeff', '\\', '$', '[@', '。', '[@a]', ' ', '$HOME'])
      for (const agent of clientKinds) plainMentions(part.repeat(Math.ceil(100_000 / part.length)), agent)
  })
})
