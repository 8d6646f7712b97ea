import type { DoctorFinding } from '../../../shared/doctor.ts'
import type { Cli } from '../cli.ts'
import type { Place } from '../place.ts'

/** One look at this machine. A check that finds nothing worth saying returns nothing. */
export type Check = (place: Place, cli: Cli) => Promise<readonly DoctorFinding[]>

export const good = (check: string, say: string): DoctorFinding => ({ check, ok: true, say, mend: null })
export const bad = (check: string, say: string, mend: string): DoctorFinding => ({ check, ok: false, say, mend })
