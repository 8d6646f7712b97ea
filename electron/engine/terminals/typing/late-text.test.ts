import { expect, it } from 'vitest'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import type { Composer } from '../agents/types.ts'
import { createLateText } from './late-text.ts'
import { defaultTypingSettings, type TypingPort } from './port.ts'

const text = 'Write the next part, and then the one after it.'
const { patienceMs, lateMs } = defaultTypingSettings

/** A text that was typed and not seen, and a line that shows what a test puts there. */
function scene({ written = 'written' as const, piece = 'tell' as 'tell' | 'erase' } = {}) {
  const clock = virtualClock()
  const pressed: string[] = []
  const press = (key: string) => async () => {
    pressed.push(key)
    return written
  }
  const port = { pressSpace: press('space'), eraseLine: press('erase') } as Partial<TypingPort> as TypingPort
  const control = { requestArrived: new AbortController().signal, stop: new AbortController().signal }
  const late = createLateText()
  const saw = (composer: Composer) =>
    late.saw(
      { port, clock, control, settings: defaultTypingSettings },
      text,
      { reading: { kind: 'ready', bracketedPaste: true }, composer, statusSerial: 0, moment: '' },
      piece,
    )
  const shows = (shown: string) => saw({ kind: 'text', text: shown })
  return { clock, pressed, saw, shows }
}

it('a piece that stays is broken when the patience is over, and one that grows has it anew', async () => {
  const s = scene()
  expect(await s.shows(text.slice(0, 12))).toBe('late')
  await s.clock.advance(patienceMs - 1)
  expect(await s.shows(text.slice(0, 12))).toBe('late')
  expect(await s.shows(text.slice(0, 20))).toBe('late')
  await s.clock.advance(patienceMs - 1)
  expect(await s.shows(text.slice(0, 20))).toBe('late')
  await s.clock.advance(1)
  expect(await s.shows(text.slice(0, 20))).toBe('broken')
  expect(s.pressed).toEqual([])
})

it('a piece that was away in between has its patience anew', async () => {
  const s = scene()
  await s.shows(text.slice(0, 12))
  await s.clock.advance(patienceMs)
  await s.saw({ kind: 'empty' })
  expect(await s.shows(text.slice(0, 12))).toBe('late')
})

it('a piece that may be erased is, and is no proof of anything then', async () => {
  const s = scene({ piece: 'erase' })
  await s.shows(text.slice(0, 12))
  await s.clock.advance(patienceMs)
  expect(await s.shows(text.slice(0, 12))).toBe('late')
  expect(s.pressed).toEqual(['erase'])
})

it('is gone once a blank of ours came and could be erased again', async () => {
  const s = scene()
  expect(await s.saw({ kind: 'empty' })).toBe('late')
  expect(await s.saw({ kind: 'empty' })).toBe('late')
  expect(s.pressed).toEqual(['space'])
  await s.clock.advance(lateMs)
  expect(await s.saw({ kind: 'empty' }), 'a key may be lost').toBe('late')
  expect(s.pressed).toEqual(['space', 'space'])
  expect(await s.shows('  ')).toBe('late')
  expect(s.pressed).toEqual(['space', 'space', 'erase'])
  expect(await s.saw({ kind: 'empty' })).toBe('gone')
})

it('words of a person are their draft', async () => {
  const s = scene()
  expect(await s.shows('hm')).toBe('draft')
  expect(s.pressed).toEqual([])
})
