import { isFine, type DoctorFact, type DoctorFinding } from '../doctor.ts'
import { en } from '../sentences/en.ts'
import type { FoundAgent } from '../setup/agent-standing.ts'

/** The doctor's finding on an agent. Never a fault: an untested version may work as well. */
export function agentFinding(title: string, { client, path, version, standing }: FoundAgent): DoctorFinding {
  return doctorFinding(`agent ${client}`, { code: 'agent', title, path, version, standing })
}

export const doctorFinding = (check: string, fact: DoctorFact): DoctorFinding => ({
  check,
  ok: isFine(fact),
  ...en.doctor(fact),
  fact,
})
