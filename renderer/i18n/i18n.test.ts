import { describe, expect, it } from 'vitest'
import { en } from './en.ts'
import { browserLanguage } from './index.ts'
import { wordsOf } from '../testing/words.ts'
import { zhCN } from './zh-CN.ts'

/** Every word of a dictionary, with words that take values called with some. */
function spoken(node: unknown, path = ''): { path: string; text: string }[] {
  if (typeof node === 'string') return [{ path, text: node }]
  if (typeof node === 'function') {
    // Dictionaries take short texts and numbers only; one text stands for both kinds of argument.
    const say = node as (...args: unknown[]) => string
    return [
      { path, text: say('x7', 3, null) },
      { path, text: say(1, 3, 30) },
    ]
  }
  return Object.entries(node ?? {}).flatMap(([key, value]) => spoken(value, path ? `${path}.${key}` : key))
}

describe('the Chinese dictionary', () => {
  const words = spoken(zhCN).map(({ path, text }) => ({
    path,
    text: text.replace(/“[^”]*”/g, '“”').replace(/<\*\*.*\*\*>/, ''),
  }))

  it('puts a space between Han and Latin or figures', () => {
    expect(words.filter(({ text }) => /\p{Script=Han}[A-Za-z0-9$<`]|[A-Za-z0-9%>`]\p{Script=Han}/u.test(text))).toEqual(
      [],
    )
  })

  it('uses full-width punctuation beside Han', () => {
    expect(words.filter(({ text }) => /\p{Script=Han}\s*[,.;:?!()]|[,;?!()]\s*\p{Script=Han}/u.test(text))).toEqual([])
  })

  it('repeats English only where a name or a command is meant', () => {
    const english = new Map(spoken(en).map(({ path, text }) => [path, text]))
    const same = spoken(zhCN)
      .filter(({ path, text }) => english.get(path) === text && /[a-z]{3}/i.test(text))
      .map(({ path }) => path)
    expect(
      same.filter(
        (path) =>
          !/^(agents|details\.protocols|activity\.protocols|providers\.(types|protocols))\.|\.line$|\.startLine$|commandPlaceholder$|modelsPlaceholder$|\.ofRounds$|^terminal\.size$/.test(
            path,
          ),
      ),
    ).toEqual([])
  })
})

describe.each([
  ['en', en],
  ['zh-CN', zhCN],
] as const)('the tone of %s', (_language, dictionary) => {
  it('is calm: no exclamation mark, no please', () => {
    expect(spoken(dictionary).filter(({ text }) => /[!！]|\bplease\b|请(?!求)/i.test(text))).toEqual([])
  })
})

describe('the language', () => {
  it.each([
    [['de', 'zh-Hant-TW', 'en'], 'zh-CN'],
    [['en-GB', 'zh'], 'en'],
    [['de-DE'], null],
    [[], null],
  ] as const)('of a browser that wants %j is %s', (wanted, language) => expect(browserLanguage(wanted)).toBe(language))

  it('comes with its sentences', () => expect(wordsOf('zh-CN').s.shape('working')).toBe('运行中'))
})
