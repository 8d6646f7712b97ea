import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { findRunningEngine } from '../../../../electron/engine/control/attach.ts'
import { waitFor } from '../../../../shared/testing/wait-for.ts'
import { gate, say } from '../../mock-upstream/index.ts'
import { allRounds, allTold, atPeace, followup, seenTask, task, PATIENT_MS, type Stage } from './stage.ts'

/** The engine is restarted in the middle of an answer: it comes whole, and the goal goes on with the next engine. */
export async function engineRestarted(stage: Stage): Promise<void> {
  const { agent, world, how } = stage
  const { mock, engine } = world
  const rest = gate()
  mock.queue(say('One part is written, and it has two halves.', { piece: 6, hold: { at: 6, until: rest } }))
  const person = await world.start(agent, { how })
  await person.say(task(2))
  await mock.turn(1, PATIENT_MS)
  process.kill(engine.pid, 'SIGTERM')
  await waitFor('its word', async () => (await findRunningEngine(engine.home))?.endsBy !== undefined)
  const next = engine.restart()
  rest.open()
  world.replace(await next)
  await engine.stop()
  await allRounds(stage, 2)
  await atPeace(stage)
  expect(allTold(stage)).toEqual([seenTask, followup, followup])
  for (const turn of mock.turns()) expect(turn.outcome).not.toBe('left')
}

/** An answer takes longer than the engine waits: the agent is told, and asks again by itself. */
export async function engineEndsFirst(stage: Stage): Promise<void> {
  const { agent, world, how } = stage
  const { mock, engine } = world
  const config = join(engine.home, 'config.json')
  const before = (await engine.control.api.status.query()).configRevision
  const written = JSON.parse(readFileSync(config, 'utf8')) as Record<string, unknown>
  writeFileSync(config, JSON.stringify({ ...written, server: { drainSeconds: 0 } }))
  await waitFor('the config', async () => (await engine.control.api.status.query()).configRevision !== before)
  mock.queue(say('One part is written, and it has two halves.', { piece: 6, hold: { at: 6, until: gate() } }))
  const person = await world.start(agent, { how })
  await person.say(task(1))
  await mock.turn(1, PATIENT_MS)
  await engine.stop()
  world.replace(await engine.restart())
  await allRounds(stage, 1)
  await atPeace(stage)
  // Qwen Code asks again in words of its own.
  expect(allTold(stage).filter((text) => text === followup)).toHaveLength(1)
  expect(mock.turns().length).toBeGreaterThan(2)
}
