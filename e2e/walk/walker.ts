import { messageOf } from '../../electron/engine/base/errors.ts'
import { gate, say, type MockRequest } from '../support/mock-upstream/index.ts'
import { auxiliaryText } from '../support/mock-upstream/auxiliary.ts'
import { seeded } from '../support/seeded.ts'
import { closeWorld, openWorld } from '../support/real/world.ts'
import { startAgent, type PlaceKind } from '../support/real/person.ts'
import type { RealAgent } from '../support/real/types.ts'
import { waitFor } from '../../shared/testing/wait-for.ts'
import type { SessionView } from '../../shared/state.ts'
import { faultsOf, firstMessage, subjectIn, subjectOf, timesIn, type Ordered } from './conversations.ts'
import { command, goTo, moves, pause, type Typist } from './moves.ts'

/** After so long the row has to say what the screen shows. */
const SEEN_WITHIN_MS = 20_000

interface Conversation {
  subject: string
  sessionId: string | null
}

export interface WalkPlan {
  agent: RealAgent
  how: PlaceKind
  steps: number
  seed: number
  log(line: string): void
}

/**
 * A person at random: they talk, begin anew, go back, rename, look around, leave a draft and interrupt, while
 * texts of all kinds wait for every conversation. Returns what was not as it has to be.
 */
export async function walk({ agent, how, steps, seed, log }: WalkPlan): Promise<string[]> {
  const random = seeded(seed)
  const own = moves[agent.client]
  const world = await openWorld(agent.provider)
  const { mock, engine, tmux } = world
  const { control } = engine
  const problems: string[] = []
  const ordered: Ordered[] = []
  const conversations: Conversation[] = []
  let front: Conversation = { subject: subjectOf(0), sessionId: null }
  let orders = 0
  let begun = 0
  let slow: ReturnType<typeof gate> | null = null

  mock.script(async (request) => {
    const subject = subjectIn(request) ?? front.subject
    if (request.auxiliary !== null && request.auxiliary !== 'count')
      return say(auxiliaryText(request.auxiliary, request.json).replaceAll('Mock session', `All about ${subject}`))
    if (request.auxiliary !== null) return undefined
    const held = slow
    return say(`Here is part ${request.n} on ${subject}.`, {
      ...(held && { hold: { at: 'head', until: held } }),
    })
  })
  const person = await startAgent(agent, { engine, tmux, how, name: 'work' })

  const typist: Typist = {
    person,
    log,
    tookOut(screen, text) {
      const [plainScreen, plainText] = [screen, text].map((words) => words.replaceAll(/\s+|[│┃]/g, ''))
      const before =
        (plainScreen ?? '')
          .split(plainText ?? '')
          .at(-2)
          ?.slice(-150) ?? ''
      for (const one of ordered.filter(({ id }) => before.includes(id.replaceAll(' ', '')))) {
        log(`${one.id} is taken out with keys that met it`)
        ordered.splice(ordered.indexOf(one), 1)
      }
    },
  }

  /** Hands a text to Onward; what it refuses at once, with a reason, was never ordered. */
  const order = async (
    kind: Ordered['kind'],
    times: number,
    hand: (session: string, text: string) => Promise<unknown>,
  ): Promise<void> => {
    const { sessionId, subject } = anyKnown()
    const one = { id: `${kind} no. ${++orders} of this walk`, subject, kind, times }
    ordered.push(one)
    await hand(sessionId, `${one.id}, for the one on ${subject}`).catch((error: unknown) => {
      log(`refused for ${subject}: ${messageOf(error)}`)
      ordered.splice(ordered.indexOf(one), 1)
    })
  }
  const viewOf = ({ sessionId }: Conversation): SessionView | undefined =>
    sessionId === null ? undefined : control.sessions.get(sessionId)
  /** what was told of a text, and of the one it waits for */
  const storyOf = (id: string): string => {
    const told = control.events.filter(({ body }) => 'entryId' in body)
    const own = told.find(({ body }) => body.type === 'queued' && body.text.includes(id))
    const entries = [own, ...told].flatMap((event) =>
      event && 'entryId' in event.body && JSON.stringify(event.body).includes(id) ? [event.body.entryId] : [],
    )
    return told
      .filter(({ body }) => entries.some((entry) => JSON.stringify(body).includes(String(entry))))
      .map(({ at, body }) => `${at} ${JSON.stringify(body)}`)
      .join('\n')
  }
  const isQuiet = (): boolean => mock.requests.every(({ outcome }) => outcome !== null)
  const turnsOf = (subject: string): MockRequest[] => mock.turns().filter((turn) => subjectIn(turn) === subject)

  /** The person speaks in the conversation in front, which names its session. */
  const speak = async (text: string): Promise<void> => {
    const before = control.events.length
    await person.say(text)
    const turn = await waitFor(
      `a turn for “${text}”`,
      () => mock.turns().findLast(({ body }) => body.includes(text)),
      120_000,
    ).catch((error: unknown) => {
      throw new Error(`${String(error)}\n${person.screen()}`)
    })
    const subject = subjectIn(turn)
    if (subject !== null && subject !== front.subject) {
      log(`the list of conversations led to ${subject}, not to ${front.subject}`)
      front = conversations.find((one) => one.subject === subject) ?? front
    }
    const ended = await waitFor(
      'its end',
      () => control.events.slice(before).findLast(({ body }) => body.type === 'turn-ended' && body.kind === 'turn'),
      120_000,
    )
    front.sessionId = ended.sessionId
  }
  const begin = async (): Promise<void> => {
    front = { subject: subjectOf(begun++), sessionId: null }
    conversations.push(front)
    await speak(firstMessage(front.subject))
  }
  const rest = async (): Promise<void> => {
    await waitFor('the agent to come to rest', () => isQuiet() || slow !== null, 120_000)
    await person.ready()
  }
  /** An agent may not list a conversation any more (Claude Code, after its agents view): then it can't come back. */
  const wentTo = async (to: Conversation): Promise<boolean> => {
    const there = await goTo(typist, own, to.subject)
    if (there) front = to
    else {
      log(`${to.subject} is not in the list`)
      conversations.splice(conversations.indexOf(to), 1)
    }
    return there
  }
  const anyKnown = (): Conversation & { sessionId: string } => {
    const known = conversations.filter((one) => one.sessionId !== null)
    const found = known[random.int(known.length)] ?? front
    if (found.sessionId === null) throw new Error('no conversation is known')
    return { ...found, sessionId: found.sessionId }
  }

  const steppings: Record<string, () => Promise<void>> = {
    speak: () => speak(`What else is there about ${front.subject}, remark ${++orders}.`),
    async fresh() {
      await command(typist, own.fresh)
      await pause(2_000)
      await begin()
    },
    async back() {
      const others = conversations.filter((one) => one !== front)
      const to = others[random.int(others.length)]
      if (!to) return
      if (!(await wentTo(to))) await steppings.fresh?.()
    },
    say: () => order('say', 1, (session, text) => control.api.say.mutate({ session, text })),
    alarm: () =>
      order('alarm', 1, (session, task) =>
        control.api.addAlarm.mutate({ session, dueAt: Date.now() + 2_000 + random.int(15_000), task }),
      ),
    rounds() {
      const rounds = 1 + random.int(2)
      const now = random.chance(0.5) && { now: true }
      return order('round', rounds, (session, text) =>
        control.api.setStopMessage.mutate({ session, text, rounds, ...now }),
      )
    },
    async rename() {
      const name = `${random.pick(['On fruit ──── 〔v2〕', '果物の話:', 'x'])} ${front.subject}`
      if (own.rename) await command(typist, own.rename(name))
      await pause(1_000)
    },
    async aside() {
      if (!own.aside) return
      await command(typist, own.aside.command('what was that?'))
      await pause(4_000)
      person.press(...own.aside.leave)
      await pause(1_000)
    },
    async glance() {
      if (!own.glance) return
      await person.ready()
      // a conversation that was brought back has none
      if (!own.glance.offered.test(person.screen())) return
      person.press(...own.glance.go)
      await person.shows(own.glance.shows)
      await pause(3_000)
      // a view that has just come may not take the key yet
      for (let presses = 0; presses < 3 && own.glance.shows.test(person.screen()); presses++) {
        person.press(...own.glance.back)
        await pause(5_000)
      }
      await person.ready()
    },
    async draft() {
      await person.ready()
      await person.draft('half a thought')
      await pause(3_000)
      person.press(...agent.clear)
      await pause(500)
    },
    async interrupt() {
      slow = gate()
      await person.say(`Think long about ${front.subject}, remark ${++orders}.`)
      await waitFor('the long turn', () => mock.requests.some(({ outcome }) => outcome === null), 60_000)
      await pause(1_500)
      person.press('Escape')
      await pause(1_500)
      slow.open()
      slow = null
      await person.until('the composer', () => agent.isIdle(person.screen()))
      person.press(...agent.clear)
    },
  }

  const check = async (): Promise<void> => {
    for (const fault of faultsOf(mock.turns(), ordered)) {
      if (problems.includes(fault)) continue
      problems.push(fault)
      log(fault)
    }
    const view = viewOf(front)
    if (!view || slow) return
    // An agent at rest is not shown as working, and what waits for the one in front goes or has its reason.
    await waitFor(
      'the row to say what the screen shows',
      () => {
        const now = viewOf(front)
        if (!now || !isQuiet()) return true
        return (
          now.say.code !== 'working' &&
          (now.queue.length === 0 || now.queue.some(({ hold, state }) => hold !== null || state !== 'queued'))
        )
      },
      SEEN_WITHIN_MS,
    ).catch(() => {
      problems.push(`${front.subject} is shown as ${JSON.stringify(viewOf(front)?.say)} while the agent is at rest`)
    })
  }

  try {
    await begin()
    const names = Object.keys(steppings)
    for (let n = 1; n <= steps; n++) {
      const name = names[random.int(names.length)] ?? 'speak'
      log(`${n} ${name} (${front.subject})`)
      await rest()
      await steppings[name]?.()
      await check()
    }
    // Each conversation comes back once more, and what waits for it goes on by itself.
    for (const conversation of conversations.slice()) {
      await rest()
      if (conversation !== front && !(await wentTo(conversation))) continue
      await speak(`Back to ${conversation.subject}, remark ${++orders}.`)
      if (front !== conversation) continue
      const waiting = ordered.filter((one) => one.subject === conversation.subject && one.kind !== 'round')
      await waitFor(
        `all for ${conversation.subject}`,
        () => waiting.every((one) => timesIn(turnsOf(one.subject), one) > 0),
        90_000,
      ).catch(() => {
        const lost = waiting.filter((one) => timesIn(turnsOf(one.subject), one) === 0).map(({ id }) => id)
        problems.push(
          `not delivered to ${conversation.subject}: ${lost.join('; ')}; ` +
            `it says ${JSON.stringify(viewOf(conversation)?.say)}; ${lost.map(storyOf).join(' ')}`,
        )
      })
    }
    await check()
    problems.push(...mock.problems)
  } catch (error) {
    problems.push(`${String(error)}\n${person.screen()}`)
  } finally {
    person.dispose()
    await closeWorld(world)
  }
  return problems
}
