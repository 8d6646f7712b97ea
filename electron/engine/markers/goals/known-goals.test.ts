import { expect, it } from 'vitest'
import { silentLog } from '../../base/log.ts'
import { machine } from '../../sessions/testing/machine.ts'
import { openKnownGoals } from './known-goals.ts'

it('a goal that was let through is known for good, by its whole content', async () => {
  const on = machine()
  const goals = await openKnownGoals(on.store, silentLog)
  expect(goals.has('ship it')).toBe(false)
  await goals.add('ship it')
  const later = await openKnownGoals(on.newStore(), silentLog)
  expect([later.has('ship it'), later.has('ship it!')]).toEqual([true, false])
})
it('one whose word can’t be written is not known', async () => {
  const on = machine()
  const goals = await openKnownGoals(on.store, silentLog)
  on.files.fail('ENOSPC', 'writeAtomic')
  await expect(goals.add('ship it')).rejects.toMatchObject({ code: 'store-failed' })
  expect(goals.has('ship it')).toBe(false)
})
