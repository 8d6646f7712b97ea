/** Other machines, and the one place through which any operation goes to the engine of one of them. */
import { z } from 'zod'
import { operations } from '../../../../shared/operations/index.ts'
import { machineOperations } from '../../../../shared/operations/machines.ts'
import type { AnyOperation, Handlers } from '../../../../shared/operations/operation.ts'
import { OnwardError } from '../../base/errors.ts'
import type { EngineHost } from '../../host.ts'
import type { MachineEdits, MachineSource } from '../../machine-source.ts'

export function machinesApi({
  machines,
  machineEdits,
}: Pick<EngineHost, 'machines' | 'machineEdits'>): Handlers<typeof machineOperations> {
  const source = (): MachineSource => machines ?? refuse()
  const edits = (): MachineEdits => machineEdits ?? refuse()
  return {
    machines: async () => machines?.list() ?? [],
    machinesChanged: async () => machines?.look(),
    async callThere({ machine, operation, input }) {
      const { kind, checked } = await declared(operation, input)
      if (kind === 'subscription') throw unknown(operation)
      return source().call({ machine, operation, kind, input: checked })
    },
    async *followThere({ machine, operation, input }, signal) {
      const { kind, checked } = await declared(operation, input)
      if (kind !== 'subscription') throw unknown(operation)
      yield* source().follow({ machine, operation, input: checked }, signal)
    },
    addMachine: async (given) => edits().add(given),
    removeMachine: async (name) => edits().remove(name),
    setMachineQuiet: async ({ machine, quiet }) => edits().setQuiet(machine, quiet),
    testMachine: async ({ machine, start }) => edits().test(machine, start),
    planInstall: async (name) => edits().plan(name),
    async *installThere({ machine, fingerprint }) {
      yield* edits().install(machine, fingerprint)
    },
  }
}

/** Its own declaration holds. From a machine to the next one nothing is passed on. */
async function declared(name: string, input: unknown) {
  const operation = Object.hasOwn(operations, name) ? (Reflect.get(operations, name) as AnyOperation) : null
  if (operation === null || Object.hasOwn(machineOperations, name)) throw unknown(name)
  const read = await operation.input?.(z).safeParseAsync(input)
  if (read?.error)
    throw new OnwardError('operation-input', `${name} does not take that: ${read.error.message}`, { status: 400 })
  return { kind: operation.kind, checked: read?.data }
}

const unknown = (name: string): OnwardError =>
  new OnwardError('operation-unknown', `“${name}” is nothing that another machine can be asked for from here.`, {
    status: 404,
  })

const refuse = (): never => {
  throw new OnwardError('machines-none', 'This engine reaches no other machines.', { status: 404 })
}
