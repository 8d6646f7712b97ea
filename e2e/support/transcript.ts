import { expect } from 'vitest'
import type { OutboxEntry, Phase } from '../../electron/engine/terminals/outbox/entry.ts'
import type { EngineProcess } from './engine-process.ts'
import type { OutboxFiles } from './outbox-files.ts'
import type { TurnAgent } from './turn-agents.ts'

/** One text handed to the control API. */
interface Said {
  text: string
  agent: TurnAgent
  /** null until it was acknowledged */
  entryId: string | null
  /** why it was not */
  refused?: string
  /** as last seen on disk after the engine's death */
  state: Phase['state'] | null
}

/**
 * What was said to which agent, and what has become of it. Every text is said once, so all of them can be told apart.
 */
export interface Transcript {
  /** Resolves when it was acknowledged, refused, or the engine is gone. */
  say(engine: EngineProcess, agent: TurnAgent, text: string): Promise<void>
  /**
   * After the engine's death: nothing acknowledged is gone, nothing went back, nothing was typed or submitted twice.
   */
  check(files: OutboxFiles): void
  pending(files: OutboxFiles, agent: TurnAgent): readonly OutboxEntry[]
  all(): readonly Readonly<Said>[]
}

/** Where an entry may be found, by where it was when an engine died before. */
const later: Readonly<Record<Phase['state'], readonly Phase['state'][]>> = {
  queued: ['queued', 'typing', 'submitted', 'confirmed', 'unknown', 'failed'],
  // the next engine looks whether the text stands in the composer: then only Enter is missing
  typing: ['queued', 'typing', 'submitted', 'unknown', 'confirmed', 'failed'],
  submitted: ['submitted', 'confirmed', 'failed'],
  confirmed: ['confirmed'],
  unknown: ['unknown', 'confirmed'],
  failed: ['failed', 'confirmed'],
  cancelled: [],
  superseded: [],
  expired: [],
}
const ended: readonly Phase['state'][] = ['confirmed', 'unknown', 'failed']
const underWay: readonly Phase['state'][] = ['queued', 'typing', 'submitted']

export function createTranscript(): Transcript {
  const said: Said[] = []

  const follow = (one: Said, entry: OutboxEntry | null) => {
    const what = `“${one.text}” (${one.agent.home})`
    if (!entry) {
      // Ended entries are forgotten in time; nothing else is, and what was never acknowledged may be lost.
      expect(
        one.entryId === null || (one.state !== null && ended.includes(one.state)),
        `${what} was acknowledged, was ${one.state} and is gone`,
      ).toBe(true)
      return
    }
    const { phase } = entry
    expect(
      one.state === null ? [...underWay, ...ended] : later[one.state],
      `${what} was ${one.state} when the engine died`,
    ).toContain(phase.state)
    if (phase.state === 'failed') expect(phase.reason.code).toMatch(/^[a-z-]+$/)
    one.state = phase.state
  }
  const count = (in_: string, text: string): number => in_.split(text).length - 1

  return {
    async say(engine, agent, text) {
      const one: Said = { text, agent, entryId: null, state: null }
      said.push(one)
      await engine.control.api.say.mutate({ session: agent.session, text }).then(
        (entry) => {
          one.entryId = entry.id
        },
        (error: unknown) => {
          one.refused = error instanceof Error ? error.message : String(error)
        },
      )
    },
    check(files) {
      for (const agent of new Set(said.map((s) => s.agent))) {
        expect(agent.alive(), `the ${agent.home} agent lives`).toBe(true)
        const mine = said.filter((s) => s.agent === agent)
        const entries = new Map(files.of(agent.scope)?.entries.map((e) => [e.text, e]))
        for (const one of mine) follow(one, entries.get(one.text) ?? null)
        const read = agent.read()
        const submits = agent.submits()
        for (const { text } of mine) {
          expect(count(read, text), `“${text}” typed into the ${agent.home} agent`).toBeLessThanOrEqual(1)
          expect(submits.filter((s) => s === text).length, `“${text}” submitted`).toBeLessThanOrEqual(1)
        }
        // Nothing but whole texts: no two of them in one line, no halves.
        const known = new Set([...mine.map((s) => s.text), ...agent.ownWords])
        for (const text of submits) expect(known, `the ${agent.home} agent was given “${text}”`).toContain(text)
      }
    },
    pending: (files, agent) => files.of(agent.scope)?.entries.filter((e) => underWay.includes(e.phase.state)) ?? [],
    all: () => said,
  }
}
