/** Whatever happens to terminal and agent while a text is typed: where it ends is read from the screen. */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { runs } from '../../../../shared/testing/runs.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { simulatedAgent } from '../typing/testing/simulated-agent.ts'
import { countingRandom } from './testing/bench.ts'
import { lateAgent, type Fate, type LateAgent, type Sent, type Temper } from './testing/late-agent.ts'
import { typingScene, type TypingScene } from './testing/typing-scene.ts'

const texts = ['first part of the work', 'second part\nin two lines', 'third part and the last one']
const last = 'the end of it'
const own = 'mine'

const rarely = <T>(usual: T, odd: readonly T[]) =>
  fc.oneof({ weight: 4, arbitrary: fc.constant(usual) }, { weight: 1, arbitrary: fc.constantFrom(...odd) })
const fates = fc.array(rarely<Fate>('ok', ['refused', 'lost', 'dropped', 'cut', 'slow']), { maxLength: 16 })
const looks = fc.array(rarely<Temper['looks'][number]>('ok', ['refused', 'slow']), { maxLength: 40 })
const lateness = (...ms: number[]) => fc.array(rarely(0, ms), { maxLength: 12 })
const moment = fc.integer({ min: 0, max: 60_000 })

type Deed = { at: number; what: 'types' | 'enters' | 'clears' | 'dialog' | 'kill' | 'cancel' | 'side-request' }
const deedOf = (...what: Deed['what'][]) =>
  fc.array(fc.record({ at: moment, what: fc.constantFrom(...what) }), { maxLength: 5 })

/**
 * A person's keys are known in a PTY of Onward's alone, and there an empty line tells that they were given up: such a
 * screen and its agent may be late by less than a person takes between two keys.
 */
const stories = fc.oneof(
  fc.record({
    temper: fc.record({
      place: fc.constant('pty' as const),
      drawMs: fc.constantFrom(0, 20, 500, 1_000),
      readMs: lateness(40, 900),
      fates,
      looks,
    }),
    deeds: deedOf('types', 'enters', 'clears', 'dialog', 'kill', 'cancel', 'side-request'),
  }),
  fc.record({
    temper: fc.record({
      place: fc.constantFrom('pty' as const, 'tmux' as const),
      drawMs: fc.constantFrom(0, 20, 500, 4_000, 12_000),
      readMs: lateness(40, 900, 2_500, 4_000, 9_000, 40_000, 90_000),
      fates,
      looks,
    }),
    deeds: deedOf('dialog', 'kill', 'cancel', 'side-request'),
  }),
)

/** by then everything that was late has come */
const lateMs = 100_000
const longMs = 300_000

async function play(temper: Temper, deeds: readonly Deed[]) {
  const clock = virtualClock()
  let scene: TypingScene | null = null
  const answer = async ({ text }: Sent) => {
    const request = await scene?.arrives('turn', text)
    clock.after(800, () => {
      if (request !== undefined) scene?.outbox.requestEnded(request)
      agent.rest()
    })
  }
  const agent: LateAgent = lateAgent(clock, temper, (sent) => {
    clock.after(300, () => void answer(sent))
  })
  scene = await typingScene({ clock, random: countingRandom() }, { ...simulatedAgent(), port: agent.port })
  await scene.turn('hello')
  const add = (text: string) => scene?.outbox.add({ sessionId: 's1', text, source: 'user', round: null })
  for (const text of texts) await add(text)
  let at = 0
  for (const deed of deeds.toSorted((a, b) => a.at - b.at)) {
    await clock.advance(deed.at - at)
    at = deed.at
    await act(deed.what)
  }
  async function act(what: Deed['what']) {
    switch (what) {
      case 'types':
        return agent.types(own)
      case 'enters':
        return agent.enters()
      case 'clears':
        return agent.clears()
      case 'dialog':
        agent.dialog(true)
        return void clock.after(5_000, () => agent.dialog(false))
      case 'kill':
        scene = (await scene?.kill()) ?? null
        return
      case 'cancel': {
        const waiting = scene?.outbox.list().find(({ state }) => state === 'queued' || state === 'typing')
        return void (waiting && scene?.outbox.cancel(waiting.id).catch(() => undefined))
      }
      case 'side-request': {
        const request = await scene?.arrives('probe', '[SUGGESTION MODE: say what comes next]')
        return void clock.after(2_000, () => request !== undefined && scene?.outbox.requestEnded(request))
      }
    }
  }
  const goesOn = async () => {
    const isOver = () => scene?.outbox.list().every(({ state }) => !['queued', 'typing', 'submitted'].includes(state))
    for (let ms = 0; ms < longMs && (!isOver() || agent.line !== ''); ms += 5_000) {
      await clock.advance(5_000)
      // Enter did nothing, twice: the one reason that waits for a person's word
      const ignored = scene?.outbox.list().find(({ hold }) => hold?.code === 'enter-ignored')
      if (ignored) await scene?.outbox.sendNow(ignored.id)
    }
  }
  await clock.advance(lateMs)
  if (agent.line.includes(own)) agent.clears()
  await goesOn()
  await add(last)
  await goesOn()
  const entries = scene.outbox.list()
  scene.outboxes.dispose()
  return { sent: agent.sent, line: agent.line, entries }
}

const folded = (text: string) => text.replace(/\s+/g, ' ').trim()

it('enters a text once and alone or not at all, leaves none standing, and goes on', { timeout: 600_000 }, async () => {
  await fc.assert(
    fc.asyncProperty(stories, async ({ temper, deeds }) => {
      const { sent, line, entries } = await play(temper, deeds)
      const what = JSON.stringify({
        sent,
        line,
        entries: entries.map(({ text, state, hold, fail }) => [text, state, hold, fail]),
      })
      for (const text of [...texts, last]) {
        const times = sent.flatMap((message) => folded(message.text).split(folded(text)).slice(1)).length
        expect(times, `${text} once in ${what}`).toBeLessThanOrEqual(1)
      }
      // what a person enters is theirs; an Enter of Onward's takes one text and nothing else
      const alone = [...texts, last].map(folded)
      for (const { text, by } of sent) if (by === 'onward') expect(alone, what).toContain(folded(text))
      expect(line.trim(), what).toBe('')
      expect(
        entries.filter(({ state }) => state === 'queued' || state === 'typing'),
        what,
      ).toEqual([])
      // lost is only what can't be known; no answer that was lost ends anything for good
      for (const { fail } of entries) expect([undefined, 'not-received', 'not-submitted'], what).toContain(fail?.code)
      expect(entries.at(-1), what).toMatchObject({ text: last, state: 'confirmed' })
    }),
    runs(200),
  )
})
