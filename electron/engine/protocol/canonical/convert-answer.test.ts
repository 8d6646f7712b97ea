import { describe, expect, it } from 'vitest'
import type { AnswerEvent } from './answer.ts'
import { tellUnshown, type UnshownTeller } from './convert-answer.ts'

const text = (block: number, said: string): AnswerEvent[] => [
  { type: 'begin', block, part: { kind: 'text' } },
  { type: 'delta', block, text: said },
  { type: 'end', block },
]
const stop: AnswerEvent = { type: 'finish', reason: 'stop', stopSequence: null, usage: null }

/** The texts a client gets, block by block. */
function told(run: (teller: UnshownTeller, say: (events: AnswerEvent[]) => void) => void): string[] {
  const texts = new Map<number, string>()
  const teller = tellUnshown((event) => {
    if (event.type === 'begin') texts.set(event.block, '')
    if (event.type === 'delta') texts.set(event.block, `${texts.get(event.block) ?? ''}${event.text}`)
  })
  run(teller, (events) => events.forEach((event) => teller.emit(event)))
  return [...texts.values()]
}

describe('what a client can not be shown', () => {
  it('is named where it stood, once, apart from the words around it', () => {
    expect(
      told((teller, say) => {
        say(text(0, 'A cat:'))
        teller.unshown('image')
        teller.unshown('image')
        say(text(1, 'And '))
        say(text(2, 'a dog.'))
        teller.unshown('audio')
        say([stop])
      }),
    ).toEqual([
      'A cat:',
      '\n\n[image, not shown by this client]',
      '\n\nAnd ',
      'a dog.',
      '\n\n[audio, not shown by this client]',
    ])
  })
  it('moves the places of sources behind the gap it puts in front of their text', () => {
    const events: AnswerEvent[] = []
    const teller = tellUnshown((event) => events.push(event))
    const source = { url: 'https://a.example', title: null, quote: null, start: 0, end: 4 }
    teller.unshown('image')
    for (const event of text(0, 'Rain')) teller.emit(event)
    teller.emit({ type: 'citation', block: 0, citation: source })
    expect(events.at(-1)).toEqual({ type: 'citation', block: 0, citation: { ...source, start: 2, end: 6 } })
    for (const event of text(1, 'Snow')) teller.emit(event)
    teller.emit({ type: 'citation', block: 1, citation: source })
    expect(events.at(-1)).toEqual({ type: 'citation', block: 1, citation: source })
  })
  it('makes no answer of it alone an empty one', () => {
    expect(
      told((teller, say) => {
        teller.unshown('image')
        say([stop])
      }),
    ).toEqual(['[image, not shown by this client]'])
  })
  it('is passed over where it only led to what is said', () => {
    expect(
      told((teller, say) => {
        teller.unshown('web search', 'aside')
        say([...text(0, 'Found.'), stop])
      }),
    ).toEqual(['Found.'])
  })
  it('is named though it only led there, where nothing else is said', () => {
    expect(
      told((teller, say) => {
        teller.unshown('web search', 'aside')
        say([stop])
      }),
    ).toEqual(['[web search, not shown by this client]'])
  })
})
