/** All machines that were added, each followed from the first time that somebody asks for them. */
import type { MachineNotice, MachineUpdate, MachineView } from '../../shared/machines.ts'
import { pause, type Clock } from '../engine/base/clock.ts'
import type { MachineSource } from '../engine/machine-source.ts'
import type { FollowedMachine } from './follow-machine.ts'
import { unknownMachine } from './machines-file.ts'
import type { Machine } from './machine.ts'

export interface MachinesDeps {
  clock: Clock
  /** as they are on the disk now */
  read(): Promise<readonly Machine[]>
  follow(machine: Machine, tell: (update: MachineUpdate | MachineNotice) => void): FollowedMachine
}

const settledWithinMs = 10_000

export interface FollowedMachines extends MachineSource {
  /** does not wait for its next try */
  retry(machine: string): void
}

export function followMachines({ clock, read, follow }: MachinesDeps): FollowedMachines {
  /** by name */
  const followed = new Map<string, { machine: Machine; one: FollowedMachine }>()
  const listeners = new Set<(update: MachineUpdate | MachineNotice) => void>()
  let over = false
  const tell = (update: MachineUpdate | MachineNotice) => {
    for (const listener of listeners) listener(update)
  }
  const now = (): readonly MachineView[] =>
    [...followed.values()].map(({ one }) => one.view()).toSorted((a, b) => (a.name < b.name ? -1 : 1))
  const named = (name: string): FollowedMachine => {
    const found = followed.get(name)
    if (found) return found.one
    throw unknownMachine(name, [...followed.keys()])
  }
  const leave = (name: string) => {
    followed.get(name)?.one.dispose()
    followed.delete(name)
    tell({ type: 'machine-removed', machine: name })
  }
  const look = async (): Promise<void> => {
    const machines = new Map((await read()).map((machine) => [machine.name, machine]))
    if (over) return
    for (const [name, { machine, one }] of followed) {
      const wanted = machines.get(name)
      // another target is another machine
      if (wanted?.target !== machine.target || wanted.program !== machine.program) leave(name)
      else if (wanted.quiet !== machine.quiet) {
        followed.set(name, { machine: wanted, one })
        one.beQuiet(wanted.quiet === true)
      }
    }
    for (const [name, machine] of machines) {
      if (followed.has(name)) continue
      followed.set(name, { machine, one: follow(machine, tell) })
      const { sessions: _none, ...facts } = named(name).view()
      tell({ type: 'machine', machine: facts })
    }
  }

  return {
    look,
    now,
    async list() {
      await look()
      const enough = new AbortController()
      const all = Promise.all([...followed.values()].map(({ one }) => one.settled))
      await Promise.race([all, pause(clock, settledWithinMs, enough.signal)])
      enough.abort()
      return now()
    },
    retry: (machine) => followed.get(machine)?.one.retry(),
    watch(told) {
      listeners.add(told)
      return { dispose: () => void listeners.delete(told) }
    },
    async call({ machine, ...what }) {
      return named(machine).call(what)
    },
    async *follow({ machine, operation, input }, signal) {
      yield* named(machine).watch(operation, input, signal)
    },
    dispose() {
      over = true
      for (const { one } of followed.values()) one.dispose()
      followed.clear()
    },
  }
}
