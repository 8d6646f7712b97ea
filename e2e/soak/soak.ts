/** `npm run soak`: followups to every real agent in every kind of terminal, counted at the provider. */
import { afterAll, expect, it } from 'vitest'
import { removeHomes } from '../support/engine-process.ts'
import { agentMissing, realAgents } from '../support/real/index.ts'
import { places } from '../support/real/person.ts'
import type { SeatCount } from './count.ts'
import { soakRun, type SoakRun } from './soak-run.ts'
import { tableOf } from './table.ts'

const asked = Number(process.env.ONWARD_SOAK)
const sideBySide = Number(process.env.ONWARD_SOAK_BESIDE)
const only = (process.env.ONWARD_SOAK_AGENTS ?? '').split(',').filter((name) => name !== '')

afterAll(removeHomes)

it('every followup comes once, alone, in its own terminal', async () => {
  const drivers: SoakRun[] = Object.values(realAgents)
    .filter((agent) => agentMissing(agent) === null && (only.length === 0 || only.includes(agent.client)))
    .flatMap((agent) => places.map((how) => ({ agent, how })))
  const followups = Math.ceil(asked / drivers.length)
  const counts: SeatCount[] = []
  const left = [...drivers]
  await Promise.all(
    Array.from({ length: sideBySide }, async () => {
      for (let driver = left.shift(); driver; driver = left.shift()) {
        const count = await soakRun(driver, drivers, { followups, patienceMs: 240_000 })
        counts.push(count)
        console.log(tableOf([count]))
      }
    }),
  )
  console.log(tableOf(counts))
  const faultless = { lost: 0, doubled: 0, wrongPlace: 0, merged: 0, problem: null }
  for (const count of counts) expect(count).toMatchObject(faultless)
})
