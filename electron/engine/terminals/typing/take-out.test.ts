import { expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { simulatedAgent } from './testing/simulated-agent.ts'
import { createTypingTarget } from './typing-target.ts'

const text = 'carry on\nthen look at the tests'

function composerWithText() {
  const clock = virtualClock()
  const agent = simulatedAgent()
  agent.state.composer = { kind: 'text', text }
  const onChange = () => ({ dispose() {} })
  const target = createTypingTarget({ terminalId: 't', port: agent.port, clock, log: silentLog, onChange })
  const control = { requestArrived: new AbortController().signal, stop: new AbortController().signal }
  const takeOut = async () => {
    const taken = target.takeOut({ entryId: 'e1', text, client: 'codex' }, control)
    await clock.advance(60_000)
    return taken
  }
  return { agent, takeOut }
}

it('is taken out although the agent draws its screen anew between a reading and a key', async () => {
  const { agent, takeOut } = composerWithText()
  agent.onLook = (looks) => {
    agent.moved = looks % 3 !== 0
  }
  expect(await takeOut()).toEqual({ kind: 'removed' })
  expect(agent.keys).toEqual(['⌫', '⌫'])
})

it('stays while the line is another one at every key', async () => {
  const { agent, takeOut } = composerWithText()
  agent.moved = true
  expect(await takeOut()).toEqual({ kind: 'enter-owed', reason: { code: 'typing' } })
  expect(agent.keys).toEqual([])
})

it('stays when the line moved because a person wrote in it', async () => {
  const { agent, takeOut } = composerWithText()
  agent.onLook = (looks) => {
    agent.moved = looks === 1
    if (looks === 2) agent.state.composer = { kind: 'text', text: `${text} and mine` }
  }
  expect(await takeOut()).toEqual({ kind: 'enter-owed', reason: { code: 'draft' } })
  expect(agent.keys).toEqual([])
})

it('is of unknown end when it is gone before the first key', async () => {
  const { agent, takeOut } = composerWithText()
  agent.onLook = (looks) => {
    agent.moved = looks === 1
    if (looks === 2) agent.state.composer = { kind: 'empty' }
  }
  expect(await takeOut()).toEqual({ kind: 'unknown' })
})
