import { describe, expect, it } from 'vitest'
import { createSettingsStore, settingsOf } from './settings.ts'

const none = { theme: 'auto', language: null, listWidth: null }

describe('settings', () => {
  it.each([
    [null, none],
    ['', none],
    ['nonsense', none],
    ['[]', none],
    ['null', none],
    ['{"theme":"purple","language":"fr"}', none],
    ['{"theme":"dark"}', { theme: 'dark', language: null, listWidth: null }],
    ['{"theme":"light","language":"zh-CN","more":1}', { theme: 'light', language: 'zh-CN', listWidth: null }],
    ['{"listWidth":420}', { ...none, listWidth: 420 }],
    ['{"listWidth":"420"}', none],
  ])('kept as %s', (kept, settings) => expect(settingsOf(kept)).toEqual(settings))

  it('last from page to page', () => {
    const held = new Map<string, string>()
    const storage = {
      getItem: (k: string) => held.get(k) ?? null,
      setItem: (k: string, v: string) => {
        held.set(k, v)
      },
    }
    createSettingsStore(storage).setState({ theme: 'dark' })
    expect(createSettingsStore(storage).getState()).toEqual({ theme: 'dark', language: null, listWidth: null })
    expect(createSettingsStore(null).getState()).toEqual(none)
  })
})
