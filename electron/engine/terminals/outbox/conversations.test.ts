import { beforeEach, expect, it } from 'vitest'
import { createBench, T } from './testing/bench.ts'
import { eachBench } from './testing/each-bench.ts'

const b = eachBench()
const apples = ['❯ tell me of apples', '', '● Apples grow on trees, and are picked in autumn.']
const pears = ['❯ tell me of pears', '', '● Pears are picked while they are hard, and ripen later.']

/** One turn of a conversation, with its answer. */
async function talk(sessionId: string, said: string, answer: string): Promise<void> {
  const requestId = await b.begin(said, sessionId, { said })
  b.outbox.requestEnded(requestId, { sessionId, text: answer, goesOn: false })
}
const shows = (above: readonly string[] | undefined) => {
  b.bench.target().reading = { kind: 'ready', bracketedPaste: true, ...(above && { above }) }
  b.bench.target().change()
}
const ask = (sessionId: string, text: string) => b.outbox.add({ sessionId, text, source: 'clock' })
const typed = () => b.bench.target().typed.map(({ text }) => text)

beforeEach(async () => {
  await talk('one', 'tell me of apples', 'Apples grow on trees, and are picked in autumn.')
  await talk('two', 'tell me of pears', 'Pears are picked while they are hard, and ripen later.')
  b.news = []
})

it('a text waits while the screen shows another conversation, and goes on when its own is back', async () => {
  shows(apples)
  await ask('two', 'for pears only')
  await b.afterSettle()
  await b.bench.clock.advance(10_000)
  expect(typed()).toEqual([])
  expect(b.outbox.list()[0]?.hold).toEqual({ code: 'other-conversation' })

  shows(pears)
  await b.bench.clock.advance(3_000)
  expect(typed()).toEqual(['for pears only'])
})

it('the conversation in front is the one on the screen, whichever asked last', async () => {
  shows(apples)
  await ask('one', 'for apples only')
  await b.afterSettle()
  expect(typed()).toEqual(['for apples only'])
})

it('a text of the conversation on the screen passes one that waits for its own', async () => {
  shows(apples)
  await ask('two', 'for pears only')
  await ask('one', 'for apples only')
  await b.afterSettle()
  await b.bench.clock.advance(3_000)
  expect(typed()).toEqual(['for apples only'])
})

it('a text waits where nothing on the screen tells, until a person sends it', async () => {
  shows(['● an answer of somebody else'])
  const { id } = await ask('two', 'for pears only')
  await b.afterSettle()
  expect(b.outbox.list()[0]?.hold).toEqual({ code: 'other-conversation', unseen: true })
  await b.outbox.sendNow(id)
  await b.bench.clock.advance(3_000)
  expect(typed()).toEqual(['for pears only'])
  expect(b.bench.target().typed[0]?.conversation).toMatchObject({ wanted: { sessionId: 'two' }, anyway: true })
})

it('a person does not send it into a conversation that is known to be another', async () => {
  shows(apples)
  const { id } = await ask('two', 'for pears only')
  await b.outbox.sendNow(id)
  await b.bench.clock.advance(5_000)
  expect(typed()).toEqual([])
})

it('the order to type says which conversation it is for, and which others there are', async () => {
  shows(pears)
  await ask('two', 'for pears only')
  await b.afterSettle()
  const { conversation } = b.bench.target().typed[0] ?? {}
  expect(conversation?.wanted.sessionId).toBe('two')
  expect(conversation?.others.map(({ sessionId }) => sessionId)).toEqual(['one'])
})

it('where no rows can be read, the conversation that asked last is in front', async () => {
  shows(undefined)
  await ask('one', 'for apples only')
  await ask('two', 'for pears only')
  await b.afterSettle()
  await b.bench.clock.advance(3_000)
  expect(typed()).toEqual(['for pears only'])
})

it('is known again after a crash', async () => {
  const { disk } = b.bench
  b.bench.store.crash()
  b.bench.outboxes.dispose()
  await b.open({ disk })
  shows(apples)
  await ask('two', 'for pears only')
  await ask('one', 'for apples only')
  await b.bench.clock.advance(5_000)
  expect(typed()).toEqual(['for apples only'])
  expect(createBench({ disk }).disk.files.get(`outbox/tmux-main.json`)).not.toContain('autumn')
})

it('nothing of a conversation is kept that a person deleted', async () => {
  await b.outbox.forgetWords('one')
  expect(b.outbox.conversations().map(({ sessionId }) => sessionId)).toEqual(['two'])
})

it('what is asked beside a conversation, without its history, is none of its words', async () => {
  const requestId = await b.begin('sum it up', 'two', { said: 'sum it up', begins: true })
  b.outbox.requestEnded(requestId, {
    sessionId: 'two',
    text: 'A talk about fruit, and when it is picked.',
    goesOn: false,
  })
  shows(pears)
  await ask('two', 'for pears only')
  await b.afterSettle()
  expect(typed()).toEqual(['for pears only'])
  expect(b.outbox.conversations().find(({ sessionId }) => sessionId === 'two')?.said).toHaveLength(2)
})

it('a request of another conversation is no receipt, and says at once that the text went astray', async () => {
  shows(pears)
  await ask('two', 'for pears only')
  await b.afterSettle()
  expect(b.states()).toEqual(['submitted'])
  const requestId = await b.begin('for pears only', 'one')
  expect(b.outbox.list()).toMatchObject([{ state: 'failed', fail: { code: 'other-conversation' } }])
  expect(b.news).toContain('failed for pears only other-conversation')
  expect(b.news).not.toContain('confirmed for pears only')
  b.outbox.requestEnded(requestId)
  expect(b.outbox.scope).toBe(T)
})

it('a conversation that goes on under another id takes its own texts along, and no other’s', async () => {
  shows(['● an answer of somebody else'])
  await ask('one', 'for apples only')
  await ask('two', 'for pears only')
  await b.outbox.exclusive((transaction) => transaction.rename('one', 'three'))
  expect(b.outbox.list().map(({ sessionId, text }) => [sessionId, text])).toEqual([
    ['three', 'for apples only'],
    ['two', 'for pears only'],
  ])
  shows(apples)
  await b.afterSettle()
  await b.bench.clock.advance(3_000)
  expect(typed()).toEqual(['for apples only'])
})
