import { expect } from 'vitest'
import type { EventBody } from '../../../../shared/events.ts'
import type { EntryProtocol, Scope } from '../../../../shared/words.ts'
import { virtualClock } from '../../base/testing/virtual-clock.ts'
import { openWorld, type World } from '../../clock/testing/world.ts'
import type { JsonObject } from '../../protocol/values.ts'
import { createClockTool } from '../../servertools/clock/clock-tool.ts'
import { createHold } from '../../servertools/clock/hold.ts'
import { createReminders, timeTagLine, wantsTimeTag } from '../request/reminders.ts'
import { itemsOf } from './client-view.ts'
import { roundsScene, type SceneOptions } from './rounds-scene.ts'

export interface ClockSceneOptions extends Omit<SceneOptions, 'clock' | 'reminders' | 'timeTag' | 'alarms'> {
  /** the time goes after the words of turns */
  tag?: boolean
  holdNonStreaming?: boolean
  rules?: Partial<World['rules']>
  /** the session's terminal; absent: none */
  place?: Scope
  /** the alarms of an engine before this one */
  world?: World
}

export const minute = 60_000
export const seconds = 1_000

/** The request path with real alarms in it; one clock for all. */
export async function clockScene(
  entry: EntryProtocol,
  {
    tag = false,
    holdNonStreaming = true,
    rules,
    place,
    world: earlier,
    tools = [],
    ...options
  }: ClockSceneOptions = {},
) {
  const clock = virtualClock()
  const world =
    earlier ??
    (await openWorld({ clock, ...(rules ? { rules } : {}), ...(place ? { places: new Map([['s1', place]]) } : {}) }))
  const { alarms } = world
  const holds: EventBody[] = []
  const clockTool = createClockTool({
    clock: world.clock,
    timezone: () => 'UTC',
    sync: () => ({ status: 'disabled', offsetMs: 0, at: null, lastError: null }),
    alarms,
  })
  const hold = createHold({
    alarms,
    clock: world.clock,
    record: (_, body) => {
      holds.push(body)
    },
    waits: () => undefined,
    config: () => ({ enabled: true, holdNonStreaming, holdMaxMs: world.rules.holdMaxMs }),
  })
  const scene = await roundsScene(entry, {
    ...options,
    clock: world.clock,
    tools: [clockTool, hold, ...tools],
    reminders: createReminders({
      alarms,
      hasAlarms: (sessionId) => alarms.nextOf(sessionId) !== null,
    }),
    timeTag: (turn) => (tag && wantsTimeTag(turn) ? timeTagLine(world.clock.now(), 'UTC', 0) : null),
    alarms: {
      async set(sessionId, alarm, requestId) {
        await alarms.schedule(sessionId, [alarm], { by: 'marker', requestId })
      },
      clear: (sessionId, requestId) => alarms.clear(sessionId, 'marker', requestId),
    },
  })
  return {
    ...scene,
    world,
    alarms,
    holds,
    /** the state of the session's alarms, in the order of their times */
    states: () =>
      alarms.of('s1').map(({ task, deliveryCount, deliveredAtMs, claim }) => ({
        task,
        state: claim ? claim.route : deliveredAtMs === undefined ? 'waits' : 'delivered',
        deliveryCount,
      })),
    /** lets everything under way come to its end */
    async rest() {
      await world.clock.advance(0)
      await alarms.idle()
    },
  }
}

/**
 * Sends the session's next request, the scene's second round: it carries this alarm, whose answer makes it delivered.
 */
export async function goesWithNext(
  s: ClockScene,
  entry: EntryProtocol,
  request: JsonObject,
  task = 'look',
): Promise<void> {
  const next = await s.ask(request)
  const second = await s.upstream.round(2)
  expect(itemsOf(entry, second.json).at(-1)).toContain(mark(task))
  second.answer({ text: 'Done.' })
  await next.over
  await s.rest()
  expect(s.states()).toMatchObject([{ task, state: 'delivered', deliveryCount: 1 }])
}

export type ClockScene = Awaited<ReturnType<typeof clockScene>>

/** A call of the tool clock, as a model makes it. */
export const clockCall = (id: string, input: JsonObject) => ({
  name: 'clock',
  id,
  input: { items: [], taskId: '', ...input },
})
export const wish = (atMs: number, task: string): JsonObject => ({
  dueAt: new Date(atMs).toISOString(),
  task,
  tool: '',
  arguments: '{}',
})
export const mark = (task: string): string => `[scheduled task:\\"${task}\\"]`
