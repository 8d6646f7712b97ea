import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { typingScene, type TypingScene } from './testing/typing-scene.ts'

let scene: TypingScene
beforeEach(async () => {
  scene = await typingScene()
  await scene.turn('hello')
})
afterEach(() => scene.outboxes.dispose())

const followup = () => scene.outbox.add({ sessionId: 's1', text: 'carry on', source: 'stopMessage', round: 1 })
const pass = (ms: number) => scene.bench.clock.advance(ms)
/** what the composer shows */
const shown = () => (scene.agent.state.composer.kind === 'text' ? scene.agent.state.composer.text : '')
const draft = (text: string) => {
  scene.agent.state.composer = text === '' ? { kind: 'empty' } : { kind: 'text', text }
  scene.changed()
}
/** it stands in the composer, and Enter is kept back */
const left = async (source: 'stopMessage' | 'user' = 'stopMessage') => {
  scene.agent.onText = (text) => {
    draft(text)
    scene.agent.state.hold = { code: 'typing' }
  }
  const entry =
    source === 'stopMessage'
      ? await followup()
      : await scene.outbox.add({ sessionId: 's1', text: 'carry on', source, round: null })
  await pass(500)
  expect(shown()).toBe('carry on')
  expect(scene.holds()).toEqual(['typing'])
  scene.agent.onText = (text) => draft(text)
  return entry
}
const released = () => {
  scene.agent.state.hold = null
  scene.changed()
}

describe('a text that was left in the composer', () => {
  it('is entered once the line has been quiet for two seconds, and never typed again', async () => {
    await left()
    released()
    await pass(1_500)
    expect(scene.agent.keys).toEqual(['carry on'])
    await pass(1_500)
    expect(scene.agent.keys).toEqual(['carry on', '⏎'])
  })

  it('waits for two quiet seconds after the person’s draft has gone, key for key', async () => {
    draft('half a line of mine')
    await followup()
    for (const rest of ['half a line', 'half a', 'half', '']) {
      draft(rest)
      await pass(300)
    }
    // the key still repeats in the empty line
    expect(scene.agent.keys).toEqual([])
    await pass(1_400)
    expect(scene.agent.keys).toEqual([])
    await pass(1_000)
    expect(scene.agent.keys).toEqual(['carry on', '⏎'])
  })

  it('does not wait so behind an Enter of theirs that left the line empty', async () => {
    scene.agent.state.hold = { code: 'typing', sent: true }
    await followup()
    await pass(1_000)
    expect(scene.holds()).toEqual(['typing'])
    released()
    await pass(500)
    expect(scene.agent.keys).toEqual(['carry on', '⏎'])
  })

  it('is typed again when a held key ate it before Enter: no round, nothing disarmed', async () => {
    scene.agent.onText = () => undefined
    await followup()
    // a turn that a person's Enter had begun would have arrived by then
    await pass(8_000)
    // a blank typed after it stands alone: the text went
    expect(scene.agent.keys).toEqual(['carry on', '␣', '⌫'])
    scene.agent.onText = (text) => draft(text)
    await pass(3_000)
    expect(scene.bench.story()).toEqual(['queued', 'typed', 'text-removed', 'typed', 'submitted'])
    expect(scene.agent.keys).toEqual(['carry on', '␣', '⌫', 'carry on', '⏎'])
    await scene.turn('carry on')
    expect(scene.states()).toEqual(['confirmed'])
  })

  it('is not typed again when the person sent it and its turn is slow to arrive', async () => {
    await left()
    scene.agent.state.hold = { code: 'dialog-open' }
    await pass(10_000)
    // the dialog is answered, Enter pressed on our text: the agent has not drawn its work yet
    draft('')
    released()
    await pass(3_500)
    expect(scene.agent.keys).toEqual(['carry on'])
    await scene.turn('carry on')
    await pass(20_000)
    expect(scene.agent.keys).toEqual(['carry on'])
    expect(scene.states()).toEqual(['confirmed'])
    expect(scene.bench.story()).not.toContain('text-removed')
  })

  it('is not typed again when a busy agent took it into a queue of its own: the receipt decides', async () => {
    await left('user')
    scene.agent.state.hold = { code: 'agent-busy' }
    const other = await scene.arrives('turn', 'what about this?')
    // sent by the person before it was due to be taken out
    draft('')
    await pass(20_000)
    scene.agent.state.hold = null
    scene.outbox.requestEnded(other)
    await pass(30_000)
    expect(scene.agent.keys).toEqual(['carry on'])
    expect(scene.states()).not.toContain('queued')
  })

  it('is given up after five times, so that no text goes round for ever', async () => {
    scene.agent.onText = () => undefined
    await followup()
    await pass(120_000)
    expect(scene.agent.keys.filter((key) => key === 'carry on')).toHaveLength(5)
    expect(scene.outbox.list()[0]).toMatchObject({ state: 'failed', fail: { code: 'not-submitted' } })
  })

  it('is waited for as long as it takes, and entered when a slow screen shows it', async () => {
    scene.agent.onText = () => undefined
    scene.agent.onSpace = () => undefined
    await followup()
    // what Qwen Code asks for by itself proves nothing
    await pass(3_100)
    scene.outbox.requestEnded(await scene.arrives('probe', '[SUGGESTION MODE: say what comes next]'))
    await pass(70_000)
    expect(scene.bench.story()).toEqual(['queued', 'typed'])
    draft('carry on')
    await pass(4_000)
    expect(scene.agent.keys.filter((key) => key !== '␣')).toEqual(['carry on', '⏎'])
    expect(scene.states()).toEqual(['submitted'])
  })

  it('lets no other text be typed while it may still come, though nobody wants it any more', async () => {
    scene.agent.onText = () => undefined
    scene.agent.onSpace = () => undefined
    const entry = await scene.outbox.add({ sessionId: 's1', text: 'carry on', source: 'user', round: null })
    await scene.outbox.add({ sessionId: 's1', text: 'and another', source: 'user', round: null })
    await pass(30_000)
    void scene.outbox.cancel(entry.id)
    await pass(30_000)
    expect(scene.holds()).toEqual([null, 'behind'])
    draft('carry on')
    await pass(20_000)
    expect(scene.agent.keys.filter((key) => key !== '␣')).toEqual(['carry on', '⌫', 'and another'])
  })

  it('is taken out where only a piece of it came, and typed again', async () => {
    scene.agent.onText = (text) => draft(text.slice(0, 12))
    const whole = 'look at the tests and carry on'
    await scene.outbox.add({ sessionId: 's1', text: whole, source: 'user', round: null })
    await pass(5_000)
    scene.agent.onText = (text) => draft(text)
    await pass(20_000)
    expect(scene.agent.keys.filter((key) => key !== '␣')).toEqual([whole, '⌫', '⌫', whole, '⏎'])
  })

  it('is taken out when the person cancels it', async () => {
    const entry = await left('user')
    await scene.outbox.cancel(entry.id)
    released()
    await pass(3_500)
    expect(shown()).toBe('')
    expect(scene.agent.keys).toEqual(['carry on', '⌫'])
    expect(scene.states()).toEqual(['cancelled'])
    expect(scene.bench.story()).toEqual(['queued', 'typed', 'cancelled', 'text-removed'])
  })

  it('stays where the person has added words: nothing of theirs is touched', async () => {
    const entry = await left('user')
    draft('carry on and tell me')
    await scene.outbox.cancel(entry.id)
    released()
    await pass(60_000)
    expect(shown()).toBe('carry on and tell me')
    expect(scene.agent.keys).toEqual(['carry on'])
    // sent by the person: nothing of ours stands there any more
    draft('')
    await scene.turn('carry on and tell me')
    await pass(10_000)
    expect(scene.agent.keys).toEqual(['carry on'])
  })

  it('is taken out line by line, as far as it is ours', async () => {
    const text = 'first\nsecond\nthird'
    scene.agent.onText = (typed) => {
      draft(typed)
      scene.agent.state.hold = { code: 'typing' }
    }
    const entry = await scene.outbox.add({ sessionId: 's1', text, source: 'user', round: null })
    await pass(500)
    released()
    await scene.outbox.cancel(entry.id)
    await pass(4_000)
    expect(scene.agent.keys).toEqual([text, '⌫', '⌫', '⌫'])
    expect(shown()).toBe('')
  })

  it('is taken out when the session is paused, and typed again when it goes on', async () => {
    await left()
    await scene.outbox.pause({ code: 'by-user' })
    released()
    await pass(5_000)
    expect(shown()).toBe('')
    await scene.outbox.resume()
    await pass(5_000)
    expect(scene.agent.keys).toEqual(['carry on', '⌫', 'carry on', '⏎'])
  })

  it('is taken out of a busy agent’s composer when its answer runs on, and typed when it is over', async () => {
    await left()
    scene.agent.state.hold = { code: 'agent-busy' }
    const other = await scene.arrives('compaction', 'sum this up')
    await pass(10_000)
    expect(shown()).toBe('')
    scene.agent.state.hold = null
    scene.outbox.requestEnded(other)
    await pass(5_000)
    expect(scene.agent.keys).toEqual(['carry on', '⌫', 'carry on', '⏎'])
  })

  it('makes room for a new goal’s followup', async () => {
    await left()
    await scene.outbox.supersede('re-arm')
    released()
    await scene.outbox.add({ sessionId: 's1', text: 'another goal', source: 'stopMessage', round: 1 })
    await pass(10_000)
    expect(scene.agent.keys).toEqual(['carry on', '⌫', 'another goal', '⏎'])
    expect(scene.states()).toEqual(['superseded', 'submitted'])
  })

  it('asks the person when Enter does nothing; “Send it” presses once more', async () => {
    scene.agent.onEnter = () => undefined
    const entry = await followup()
    await pass(600_000)
    expect(scene.agent.keys).toEqual(['carry on', '⏎', '⏎'])
    expect(scene.holds()).toEqual(['enter-ignored'])
    scene.agent.onEnter = () => draft('')
    await scene.outbox.sendNow(entry.id)
    await pass(1_000)
    expect(scene.agent.keys).toEqual(['carry on', '⏎', '⏎', '⏎'])
    expect(scene.states()).toEqual(['submitted'])
  })

  it('asks the person when Enter does nothing; “Take it out” leaves an empty line', async () => {
    scene.agent.onEnter = () => undefined
    const entry = await followup()
    await pass(60_000)
    await scene.outbox.cancel(entry.id)
    await pass(1_000)
    expect(shown()).toBe('')
    expect(scene.states()).toEqual(['cancelled'])
  })

  it('is entered by the next engine when this one dies between text and Enter', async () => {
    await left()
    scene = await scene.kill()
    released()
    await pass(5_000)
    expect(scene.agent.keys).toEqual(['carry on', '⏎'])
    await scene.turn('carry on')
    expect(scene.states()).toEqual(['confirmed'])
  })

  it('is taken out by the next engine when it was cancelled right before the end', async () => {
    const entry = await left('user')
    await scene.outbox.cancel(entry.id)
    scene = await scene.kill()
    released()
    await pass(5_000)
    expect(shown()).toBe('')
    expect(scene.states()).toEqual(['cancelled'])
  })
})
