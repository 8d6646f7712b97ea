import { describe, expect, it } from 'vitest'
import type { Language } from '../../shared/words.ts'
import type { Spoken } from './index.ts'
import { createSpeech } from './speech.ts'
import { spoken as en } from './spoken-en.ts'
import { spoken as zh } from './spoken-zh-CN.ts'

/** A loader whose answers come when the test says so. */
function heldLoader() {
  const asked: { language: Language; come: (spoken: Spoken) => void; fail: (error: Error) => void }[] = []
  return {
    asked,
    load: (language: Language) =>
      new Promise<Spoken>((come, fail) => {
        asked.push({ language, come, fail })
      }),
  }
}

describe('the language of the page', () => {
  it('stays the one before until the wanted one is there', async () => {
    const { asked, load } = heldLoader()
    const speech = createSpeech(en, load)
    speech.want('zh-CN')
    expect(speech.spoken.getState().language).toBe('en')
    asked[0]?.come(zh)
    await Promise.resolve()
    expect(speech.spoken.getState()).toBe(zh)
  })

  it('is the last one that was wanted, whichever comes first', async () => {
    const { asked, load } = heldLoader()
    const speech = createSpeech(en, load)
    speech.want('zh-CN')
    speech.want('en')
    asked[0]?.come(zh)
    await Promise.resolve()
    expect(speech.spoken.getState().language).toBe('en')
  })

  it('stays where the wanted one can’t be loaded, and is asked for again the next time', async () => {
    const { asked, load } = heldLoader()
    const speech = createSpeech(en, load)
    speech.want('zh-CN')
    asked[0]?.fail(new TypeError('Failed to fetch'))
    await Promise.resolve()
    expect(speech.spoken.getState().language).toBe('en')
    speech.want('zh-CN')
    expect(asked.map(({ language }) => language)).toEqual(['zh-CN', 'zh-CN'])
  })
})
