import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runInNewContext } from 'node:vm'
import { describe, expect, it } from 'vitest'
import { languageOf } from './app-context.ts'
import { takeToken } from './control/token.ts'
import { browserLanguage } from './i18n/index.ts'
import { placeOf, readFragment } from './state/place.ts'
import { settingsOf } from './state/settings.ts'

const script = readFileSync(join(import.meta.dirname, 'public/first.js'), 'utf8')
const words = { en: ['./assets/spoken-en.js'], 'zh-CN': ['./assets/spoken-zh-CN.js', './assets/zh-CN.js'] }

interface Browser {
  hash?: string
  /** of the page before a reload */ page?: string
  /** this browser is paired */ device?: string
  settings?: string
  languages?: readonly string[]
  dark?: boolean
  storage?: 'forbidden'
}

/** Runs the page's first script in such a browser. */
function first({ hash = '', page, device, settings, languages = ['en-GB'], dark = false, storage }: Browser) {
  const attributes: Record<string, string> = {}
  const fetched: unknown[] = []
  const store = (values: Readonly<Record<string, string | undefined>>) => ({
    getItem: (asked: string) => {
      if (storage === 'forbidden') throw new Error('forbidden')
      return values[asked] ?? null
    },
  })
  const globals = {
    document: {
      documentElement: { setAttribute: (name: string, value: string) => void (attributes[name] = value) },
      currentScript: { dataset: { words: JSON.stringify(words) } },
      createElement: () => ({}),
      head: { append: ({ href }: { href: string }) => fetched.push(href) },
    },
    localStorage: store({ 'onward-settings': settings, 'onward-device': device }),
    sessionStorage: store({ 'onward-page': page }),
    matchMedia: () => ({ matches: dark }),
    location: { hash },
    navigator: { languages },
    URLSearchParams,
  }
  runInNewContext(script, { ...globals, window: globals })
  return { theme: attributes['data-mantine-color-scheme'], frame: 'data-frame' in attributes, fetched }
}

describe('the first script of the page', () => {
  const kept = ['{}', 'null', 'no json', ...['light', 'dark', 'auto', 'red'].map((theme) => JSON.stringify({ theme }))]

  it.each(kept)('has the theme that the page will have, with %s', (settings) => {
    for (const dark of [true, false]) {
      const { theme } = settingsOf(settings)
      expect(first({ settings, dark }).theme).toBe(theme === 'auto' ? (dark ? 'dark' : 'light') : theme)
    }
  })

  it.each([[['en-GB']], [['zh-TW', 'en']], [['fr', 'zh']], [['de', 'en']], [['fr']], [[]]])(
    'fetches the words that the page will speak to %j',
    (languages) => {
      for (const settings of ['{}', '{"language":"en"}', '{"language":"zh-CN"}', '{"language":"fr"}']) {
        const spoken = languageOf(browserLanguage(languages), settingsOf(settings).language)
        expect(first({ settings, languages }).fetched).toEqual(words[spoken])
      }
    },
  )

  it.each(['', '#/alarms', '#token=a.b', '#token=', '#place=setup&token=a.b', '#token=a.b&place=%2Fsetup', '#/setup'])(
    'draws the frame where the page will have one, at %s',
    (hash) => {
      for (const page of [undefined, 'a.b']) {
        const fragment = readFragment(hash)
        const store = { getItem: () => page ?? null, setItem: () => undefined, removeItem: () => undefined }
        const admitted = takeToken(fragment, store) !== null
        expect(first({ hash, page }).frame).toBe(admitted && placeOf(fragment.path).view !== 'setup')
      }
    },
  )

  it('draws it for a paired browser, and not while one is being paired', () => {
    expect(first({ device: 'yes' }).frame).toBe(true)
    expect(first({ device: 'yes', hash: '#/alarms' }).frame).toBe(true)
    expect(first({ device: 'yes', hash: '#pair=a.b' }).frame).toBe(false)
  })

  it('is content where storage is forbidden', () => {
    expect(first({ hash: '#token=a.b', dark: true, storage: 'forbidden' })).toEqual({
      theme: 'dark',
      frame: true,
      fetched: words.en,
    })
  })
})
