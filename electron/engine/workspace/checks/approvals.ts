import { z } from 'zod'
import type { DocumentSpec } from '../../store/types.ts'

/** A file as it was, its path relative to the folder. */
export interface FileMark {
  path: string
  sha256: string
}

/** A person's approval: exactly this may run in exactly this folder. */
export interface ApprovedCheck {
  name: string
  argv: readonly string[]
  /** null: what the config says */
  timeoutSeconds: number | null
  /** `dashboard`: declared by a person, in no file */
  from: 'file' | 'dashboard'
  at: number
  /** what it ran when it was approved */
  files: readonly FileMark[]
}

/** Lists, not objects by name: names and folders come from repositories, and `__proto__` is one. */
export interface Approvals {
  folders: readonly { folder: string; checks: readonly ApprovedCheck[] }[]
}

const approved = z.object({
  name: z.string().min(1),
  argv: z.array(z.string()).min(1),
  timeoutSeconds: z.number().int().positive().nullable(),
  from: z.enum(['file', 'dashboard']),
  at: z.number(),
  files: z.array(z.object({ path: z.string(), sha256: z.string() })),
})
const shape = z.object({ folders: z.array(z.object({ folder: z.string().min(1), checks: z.array(approved) })) })

export const approvalsSpec: DocumentSpec<Approvals> = {
  path: 'checks.json',
  version: 1,
  parse: (value) => shape.parse(value),
}

/** `folder`: its real path. */
export const approvedIn = (all: Approvals | null, folder: string): readonly ApprovedCheck[] =>
  all?.folders.find((one) => one.folder === folder)?.checks ?? []

/** Replaces the check of the same name, or adds it at the end. */
export function withApproved(all: Approvals | null, folder: string, check: ApprovedCheck): Approvals {
  const before = approvedIn(all, folder)
  const known = before.some((one) => one.name === check.name)
  return withChecks(
    all,
    folder,
    known ? before.map((one) => (one.name === check.name ? check : one)) : [...before, check],
  )
}

export const withoutApproved = (all: Approvals | null, folder: string, name: string): Approvals =>
  withChecks(
    all,
    folder,
    approvedIn(all, folder).filter((one) => one.name !== name),
  )

function withChecks(all: Approvals | null, folder: string, checks: readonly ApprovedCheck[]): Approvals {
  const others = (all?.folders ?? []).filter((one) => one.folder !== folder)
  return { folders: checks.length === 0 ? others : [...others, { folder, checks }] }
}
