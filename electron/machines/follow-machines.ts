/** All machines that were added, each followed from the first time that somebody asks for them. */
import type { MachineView } from '../../shared/machines.ts'
import { pause, type Clock } from '../engine/base/clock.ts'
import type { Disposable } from '../engine/base/disposable.ts'
import type { FollowedMachine } from './follow-machine.ts'
import type { Machine } from './machine.ts'

export interface Machines extends Disposable {
  list(): Promise<readonly MachineView[]>
}

export interface MachinesDeps {
  clock: Clock
  /** as they are on the disk now */
  read(): Promise<readonly Machine[]>
  follow(machine: Machine): FollowedMachine
}

const settledWithinMs = 10_000

export function followMachines({ clock, read, follow }: MachinesDeps): Machines {
  const followed = new Map<string, FollowedMachine>()
  let over = false
  /** another target is another machine */
  const keyOf = (machine: Machine) => JSON.stringify([machine.name, machine.target, machine.program])

  return {
    async list() {
      const machines = new Map((await read()).map((machine) => [keyOf(machine), machine]))
      if (over) return []
      for (const [key, one] of followed) {
        if (machines.has(key)) continue
        one.dispose()
        followed.delete(key)
      }
      for (const [key, machine] of machines) if (!followed.has(key)) followed.set(key, follow(machine))
      const all = [...machines.keys()].flatMap((key) => followed.get(key) ?? [])
      const enough = new AbortController()
      await Promise.race([Promise.all(all.map(({ settled }) => settled)), pause(clock, settledWithinMs, enough.signal)])
      enough.abort()
      return all.map((one) => one.view())
    },
    dispose() {
      over = true
      for (const one of followed.values()) one.dispose()
      followed.clear()
    },
  }
}
