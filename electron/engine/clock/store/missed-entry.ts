import type { Missed } from '../model/types.ts'

export type MissedEntry = Omit<Missed, 'times'> & { by: string | null }
