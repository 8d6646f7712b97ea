import { type AgentSetup, type FoundAccess, type ProviderTrial, setUpClients } from '../setup/first-run.ts'
import type { TerminalView } from '../state.ts'
import { call, id, takes } from './operation.ts'

/** The first minute: what is on this machine, agents set up for good, a demo. */
export const setupOperations = {
  /** sign-ins and keys on this machine; no value of any key */
  foundAccess: call.query<readonly FoundAccess[]>(),
  /** adds it as a provider. @returns its id. @throws `access-gone`, `access-unusable`, as addProvider */
  useAccess: takes(id).mutation<string>(),
  /**
   * testProvider; where it answers and there is no route `default`, that gets one of its models. @throws as addProvider
   */
  tryProvider: takes(id).mutation<ProviderTrial>(),
  /** agents whose own settings can be pointed at Onward, with what would change in them */
  agentSetups: call.query<readonly AgentSetup[]>(),
  /** @throws `setup-refused`, `setup-changed` when a file is not as it was shown, `store-failed` */
  setUpAgent: takes((z) =>
    z.object({ client: z.enum(setUpClients), fingerprint: z.string().min(1).max(200) }),
  ).mutation<void>(),
  /** gives back every byte. @throws `setup-unknown`, `setup-changed` when the file was written since, `store-failed` */
  undoAgentSetup: takes((z) => z.enum(setUpClients)).mutation<void>(),
  /**
   * opens a small agent on the simulator that is kept going three times; then an alarm rings. @throws as openTerminal
   */
  startDemo: call.mutation<TerminalView>(),
}
