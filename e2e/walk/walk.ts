/** `npm run walk`: a person at random in front of each real agent, in one kind of terminal each. */
import { afterAll, expect, it } from 'vitest'
import { seed } from '../../shared/testing/runs.ts'
import { removeHomes } from '../support/engine-process.ts'
import { agentMissing, realAgents } from '../support/real/index.ts'
import type { PlaceKind } from '../support/real/person.ts'
import { walk } from './walker.ts'

const steps = Number(process.env.ONWARD_WALK)
const only = (process.env.ONWARD_WALK_AGENTS ?? '').split(',').filter((name) => name !== '')
const places = (process.env.ONWARD_WALK_PLACES ?? 'pane').split(',') as PlaceKind[]

afterAll(removeHomes)

it.concurrent.each(
  Object.values(realAgents)
    .filter((agent) => agentMissing(agent) === null && (only.length === 0 || only.includes(agent.client)))
    .flatMap((agent) => places.map((how) => ({ agent, how, name: `${agent.name} (${how})` }))),
)('$name', async ({ agent, how, name }) => {
  const log = (line: string) => console.log(`${name}: ${line}`)
  const problems = await walk({ agent, how, steps, seed, log })
  expect(problems).toEqual([])
})
