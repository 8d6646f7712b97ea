import { describe, expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { agents } from '../agents/index.ts'
import { answerLost, type TypeResult } from '../types.ts'
import { createTypingTarget } from './typing-target.ts'
import { simulatedAgent } from './testing/simulated-agent.ts'

const text = 'Continue with the next step and finish it.'
const { short: gapMs } = agents.codex.gapMs
/** the screen will tell */
const lost = answerLost({ code: 'screen-unread' })
const order = { entryId: 'e1', text, client: 'codex' as const }

function setUp() {
  const clock = virtualClock()
  const agent = simulatedAgent()
  const target = createTypingTarget({
    terminalId: 't',
    port: agent.port,
    clock,
    log: silentLog,
    onChange: () => ({ dispose() {} }),
  })
  const arrived = new AbortController()
  const stop = new AbortController()
  const control = { requestArrived: arrived.signal, stop: stop.signal }
  /** runs an attempt to its end and says how long it took */
  const finish = async (attempt: Promise<TypeResult>) => {
    const from = clock.now()
    const done: TypeResult[] = []
    void attempt.then((value) => {
      done.push(value)
    })
    for (let i = 0; i < 200 && done.length === 0; i++) await clock.advance(50)
    return { result: done[0] ?? null, ms: clock.now() - from }
  }
  return {
    clock,
    agent,
    target,
    control,
    arrived,
    stop,
    finish,
    type: () => finish(target.type(order, control)),
    owed: () => finish(target.pressOwedEnter(order, control)),
  }
}

describe('typing an entry', () => {
  it('writes the text, waits, and presses Enter once', async () => {
    const { agent, type } = setUp()
    const { result, ms } = await type()
    expect(result).toEqual({ kind: 'submitted', extraEnter: false })
    expect(agent.keys).toEqual([text, '⏎'])
    expect(ms).toBeGreaterThanOrEqual(gapMs)
  })

  it('is submitted, and no command, behind a letter that the agent does not draw', async () => {
    const { agent, target, control, finish } = setUp()
    agent.onText = (typed) => {
      agent.state.composer = { kind: 'text', text: typed.replaceAll('\u3164', '') }
    }
    const { result } = await finish(target.type({ ...order, text: '\u3164/quit \u3164now' }, control))
    expect(result).toEqual({ kind: 'submitted', extraEnter: false })
    expect(agent.keys).toEqual(['- /quit \u3164now', '⏎'])
  })

  it('waits longer behind a long text', async () => {
    const { agent, target, control, finish } = setUp()
    const { ms } = await finish(target.type({ ...order, text: 'word '.repeat(600) }, control))
    expect(agent.keys).toHaveLength(2)
    expect(ms).toBeGreaterThanOrEqual(500)
  })

  it('makes the text safe again, whoever gave it', async () => {
    const { agent, target, control, finish } = setUp()
    await finish(target.type({ ...order, text: '!ls\u001b[201~\r' }, control))
    expect(agent.keys).toEqual(['- !ls[201~', '⏎'])
  })

  it('of a conversation that has begun presses no Enter in a new one, though the text stands there', async () => {
    const { agent, target, control, finish } = setUp()
    agent.state.fresh = true
    expect((await finish(target.type({ ...order, ongoing: true }, control))).result).toEqual({
      kind: 'held',
      reason: { code: 'other-conversation' },
    })
    agent.state.fresh = false
    agent.onText = (typed) => {
      agent.state.composer = { kind: 'text', text: typed }
      agent.state.fresh = true
    }
    expect((await finish(target.type({ ...order, ongoing: true }, control))).result).toEqual({
      kind: 'enter-owed',
      reason: { code: 'other-conversation' },
      shown: true,
    })
    expect((await finish(target.pressOwedEnter({ ...order, ongoing: true }, control))).result).toEqual({
      kind: 'enter-owed',
      reason: { code: 'other-conversation' },
    })
    expect(agent.keys).toEqual([text])
  })

  it.each([
    ['the agent is busy', { code: 'agent-busy' }],
    ['a dialog is open', { code: 'dialog-open', what: 'permission' }],
    ['a shell is in front', { code: 'shell-in-front', program: 'bash' }],
    ['nobody knows who is in front', { code: 'foreground-unknown' }],
    ['the screen is unknown', { code: 'screen-unknown' }],
    ['the person is typing', { code: 'typing' }],
  ] as const)('types nothing while %s', async (_what, hold) => {
    const { agent, type } = setUp()
    agent.state.hold = hold
    expect((await type()).result).toEqual({ kind: 'held', reason: hold })
    expect(agent.keys).toEqual([])
  })

  it('types nothing over a draft', async () => {
    const { agent, type } = setUp()
    agent.state.composer = { kind: 'text', text: 'half a li' }
    expect((await type()).result).toEqual({ kind: 'held', reason: { code: 'draft' } })
    expect(agent.keys).toEqual([])
  })

  it('fails when the terminal is gone', async () => {
    const { agent, type } = setUp()
    agent.state.gone = { code: 'terminal-gone', why: 'the pane was closed' }
    expect((await type()).result).toEqual({ kind: 'failed', reason: agent.state.gone })
  })

  it('fails when nothing is left of the text', async () => {
    const { agent, target, control, finish } = setUp()
    expect((await finish(target.type({ ...order, text: '\u0007 \n' }, control))).result?.kind).toBe('failed')
    expect(agent.keys).toEqual([])
  })

  it('may be tried again after it was held, but never once text went out', async () => {
    const { agent, type } = setUp()
    agent.state.hold = { code: 'agent-busy' }
    expect((await type()).result?.kind).toBe('held')
    agent.state.hold = null
    expect((await type()).result?.kind).toBe('submitted')
    agent.state.hold = null
    expect((await type()).result).toEqual(lost)
    expect(agent.keys).toEqual([text, '⏎'])
  })

  it('is held when the first look fails', async () => {
    const { agent, type } = setUp()
    agent.onLook = () => {
      throw new Error('tmux does not answer')
    }
    expect((await type()).result).toEqual({ kind: 'held', reason: { code: 'screen-unread' } })
  })

  it('is left to the next reading when looking fails behind the text', async () => {
    const { agent, type } = setUp()
    agent.onLook = (looks) => {
      if (looks > 1) throw new Error('tmux does not answer')
    }
    expect((await type()).result).toEqual({ ...lost, entered: false })
    expect(agent.keys).toEqual([text])
  })
})

describe('between text and Enter', () => {
  it('keeps Enter back when a dialog came and the text was seen in the composer', async () => {
    const { agent, type } = setUp()
    agent.onLook = (looks) => {
      if (looks === 3)
        Object.assign(agent.state, { hold: { code: 'dialog-open', what: 'permission' }, composer: { kind: 'unseen' } })
    }
    expect((await type()).result).toEqual({
      kind: 'enter-owed',
      reason: { code: 'dialog-open', what: 'permission' },
      shown: true,
    })
    expect(agent.keys).toEqual([text])
  })

  it('does not know where the text went when a dialog came first', async () => {
    const { agent, type } = setUp()
    agent.onText = () => Object.assign(agent.state, { hold: { code: 'dialog-open' }, composer: { kind: 'unseen' } })
    expect((await type()).result).toEqual({ kind: 'enter-owed', reason: { code: 'dialog-open' }, shown: false })
    expect(agent.keys).toEqual([text])
  })

  it('presses nothing when the agent has quit to its shell', async () => {
    const { agent, type } = setUp()
    agent.onText = () => Object.assign(agent.state, { hold: { code: 'shell-in-front', program: 'bash' } })
    expect((await type()).result).toMatchObject({ kind: 'enter-owed', reason: { code: 'shell-in-front' } })
    expect(agent.keys).toEqual([text])
  })

  it('presses nothing when it is stopped', async () => {
    const { agent, stop, type } = setUp()
    agent.onText = (value) => {
      agent.state.composer = { kind: 'text', text: value }
      stop.abort()
    }
    expect((await type()).result).toMatchObject({
      kind: 'enter-owed',
      reason: { code: 'paused', by: 'session' },
      shown: true,
    })
    expect(agent.keys).toEqual([text])
  })

  it('keeps Enter back while the person goes on with the line', async () => {
    const { agent, type } = setUp()
    agent.onText = (value) => {
      agent.state.composer = { kind: 'text', text: `${value} and I type` }
    }
    expect((await type()).result).toEqual({ kind: 'enter-owed', reason: { code: 'draft' }, shown: false })
    expect(agent.keys).toEqual([text])
  })

  it('keeps Enter back when a request arrives while the text still stands there', async () => {
    const { agent, arrived, type } = setUp()
    agent.onText = (value) => {
      agent.state.composer = { kind: 'text', text: value }
      arrived.abort()
    }
    expect((await type()).result).toEqual({ kind: 'enter-owed', reason: { code: 'response-running' }, shown: true })
    expect(agent.keys).toEqual([text])
  })

  it('waits until the text has stood there, however late it is drawn: Enter is no part of the paste', async () => {
    const { agent, clock, control, finish, target } = setUp()
    const at: Record<string, number> = {}
    agent.onText = () => {
      clock.after(400, () => {
        at.drawn = clock.now()
        agent.state.composer = { kind: 'text', text }
      })
    }
    agent.onEnter = () => {
      at.entered = clock.now()
      agent.state.composer = { kind: 'empty' }
    }
    await finish(target.type({ ...order, client: 'gemini' }, control))
    expect(agent.keys).toEqual([text, '⏎'])
    const stood = (at.entered ?? 0) - (at.drawn ?? 0)
    expect(stood).toBeGreaterThanOrEqual(agents.gemini.stoodMs)
    expect(stood).toBeLessThan(2 * agents.gemini.stoodMs)
  })

  it('waits for a slow screen to show the text', async () => {
    const { agent, type } = setUp()
    agent.onText = () => {}
    agent.onLook = (looks) => {
      if (looks === 15) agent.state.composer = { kind: 'paste' }
    }
    expect((await type()).result?.kind).toBe('submitted')
    expect(agent.keys).toEqual([text, '⏎'])
  })

  it('is not taken for removed when the composer never shows the text: it may be late', async () => {
    const { agent, type } = setUp()
    agent.onText = () => {}
    expect((await type()).result).toEqual({ kind: 'enter-owed', reason: { code: 'not-drawn' }, shown: false })
    expect(agent.keys).toEqual([text])
  })

  it('was removed when the text is seen and goes without a turn; typed again only if ordered so', async () => {
    const { agent, type, target, control, finish } = setUp()
    agent.onLook = (looks) => {
      if (looks === 3) agent.state.composer = { kind: 'text', text }
      if (looks === 4) agent.state.composer = { kind: 'empty' }
    }
    expect((await type()).result).toEqual({ kind: 'removed' })
    expect((await type()).result).toEqual(lost)
    expect((await finish(target.type({ ...order, again: true }, control))).result?.kind).toBe('submitted')
    expect(agent.keys).toEqual([text, text, '⏎'])
  })

  it('types nothing and presses nothing while the line moves between a look and the key', async () => {
    const { agent, type } = setUp()
    agent.moved = true
    expect((await type()).result).toEqual({ kind: 'held', reason: { code: 'typing' } })
    expect(agent.keys).toEqual([])
    agent.moved = false
    agent.onText = (value) => {
      agent.state.composer = { kind: 'text', text: value }
      agent.moved = true
    }
    expect((await type()).result).toEqual({ kind: 'enter-owed', reason: { code: 'typing' }, shown: true })
    expect(agent.keys).toEqual([text])
  })

  it('lets a short moment of work pass', async () => {
    const { agent, type } = setUp()
    agent.onLook = (looks) => {
      if (looks === 2) agent.state.hold = { code: 'agent-busy' }
      if (looks === 6) agent.state.hold = null
    }
    expect((await type()).result?.kind).toBe('submitted')
    expect(agent.keys).toEqual([text, '⏎'])
  })
})

describe('after Enter', () => {
  it('presses Enter once more when the text still stands there after three seconds', async () => {
    const { agent, type } = setUp()
    let enters = 0
    agent.onEnter = () => {
      if (++enters === 2) agent.state.composer = { kind: 'empty' }
    }
    const { result, ms } = await type()
    expect(result).toEqual({ kind: 'submitted', extraEnter: true })
    expect(agent.keys).toEqual([text, '⏎', '⏎'])
    expect(ms).toBeGreaterThanOrEqual(gapMs + 3_000)
  })

  it('never presses a third time', async () => {
    const { agent, type } = setUp()
    agent.onEnter = () => {}
    expect((await type()).result).toEqual({
      kind: 'enter-owed',
      reason: { code: 'enter-ignored' },
      shown: true,
      entered: true,
    })
    expect(agent.keys).toEqual([text, '⏎', '⏎'])
  })

  it('presses no second time once a request arrived, whatever the screen shows', async () => {
    const { agent, arrived, type } = setUp()
    agent.onEnter = () => arrived.abort()
    expect((await type()).result).toEqual({ kind: 'submitted', extraEnter: false })
    expect(agent.keys).toEqual([text, '⏎'])
  })

  it('presses no second time when nobody could tell of a request', async () => {
    const { agent, type } = setUp()
    agent.hearsRequests = false
    agent.onEnter = () => {}
    expect((await type()).result).toMatchObject({
      kind: 'enter-owed',
      reason: { code: 'terminal-offline' },
      entered: true,
    })
    expect(agent.keys).toEqual([text, '⏎'])
  })

  it('presses no second time when it is stopped', async () => {
    const { agent, stop, type } = setUp()
    agent.onEnter = () => stop.abort()
    expect((await type()).result).toMatchObject({
      kind: 'enter-owed',
      reason: { code: 'paused', by: 'session' },
      entered: true,
    })
    expect(agent.keys).toEqual([text, '⏎'])
  })

  it('presses no second time into a dialog', async () => {
    const { agent, type } = setUp()
    agent.onEnter = () => Object.assign(agent.state, { hold: { code: 'dialog-open' }, composer: { kind: 'unseen' } })
    expect((await type()).result).toEqual({ kind: 'enter-owed', reason: { code: 'dialog-open' }, entered: true })
    expect(agent.keys).toEqual([text, '⏎'])
  })

  it('is submitted when the person already writes the next line', async () => {
    const { agent, type } = setUp()
    agent.onEnter = () => {
      agent.state.composer = { kind: 'text', text: 'and also' }
    }
    expect((await type()).result).toEqual({ kind: 'submitted', extraEnter: false })
  })

  it('fails when the terminal goes away', async () => {
    const { agent, type } = setUp()
    agent.onEnter = () => {
      agent.state.gone = { code: 'agent-gone' }
    }
    expect((await type()).result).toEqual({ kind: 'failed', reason: { code: 'agent-gone' } })
  })

  it('takes a new report of the program for proof where no composer can be seen', async () => {
    const { agent, type } = setUp()
    agent.state.composer = { kind: 'unseen' }
    agent.onText = () => {}
    agent.onEnter = () => {
      agent.state.statusSerial++
    }
    expect((await type()).result).toEqual({ kind: 'submitted', extraEnter: false })
    expect(agent.keys).toEqual([text, '⏎'])
  })

  it('does not know where no composer can be seen and nothing is reported', async () => {
    const { agent, type } = setUp()
    agent.state.composer = { kind: 'unseen' }
    agent.onText = () => {}
    agent.onEnter = () => {}
    expect((await type()).result).toEqual({ kind: 'unknown' })
    expect(agent.keys).toEqual([text, '⏎'])
  })
})

describe('an owed Enter', () => {
  it('is pressed when the composer holds the text and nothing else', async () => {
    const { agent, owed } = setUp()
    agent.state.composer = { kind: 'text', text: 'Continue with the next\n  step and finish it.' }
    expect((await owed()).result).toEqual({ kind: 'submitted', extraEnter: false })
    expect(agent.keys).toEqual(['⏎'])
  })

  it('stays owed while the person has added to it', async () => {
    const { agent, owed } = setUp()
    agent.state.composer = { kind: 'text', text: `${text} and more` }
    expect((await owed()).result).toEqual({ kind: 'enter-owed', reason: { code: 'draft' } })
    expect(agent.keys).toEqual([])
  })

  it('stays owed while the agent is busy', async () => {
    const { agent, owed } = setUp()
    agent.state.hold = { code: 'agent-busy' }
    expect((await owed()).result).toEqual({ kind: 'enter-owed', reason: { code: 'agent-busy' } })
  })

  it('is not pressed into an empty composer', async () => {
    const { agent, owed } = setUp()
    expect((await owed()).result).toEqual({ kind: 'removed' })
    expect(agent.keys).toEqual([])
  })

  it('keeps the entry from ever being typed', async () => {
    const { agent, owed, type } = setUp()
    await owed()
    expect((await type()).result).toEqual(lost)
    expect(agent.keys).toEqual([])
  })
})

describe('two entries at once', () => {
  it('are typed one after the other', async () => {
    const { clock, agent, target, control } = setUp()
    agent.onEnter = () => {
      agent.state.composer = { kind: 'empty' }
    }
    const both = [target.type(order, control), target.type({ ...order, entryId: 'e2', text: 'second' }, control)]
    await clock.advance(3_000)
    expect((await Promise.all(both)).map((one) => one.kind)).toEqual(['submitted', 'submitted'])
    expect(agent.keys).toEqual([text, '⏎', 'second', '⏎'])
  })
})
