/**
 * The version of the control API, by which engines and callers of different builds know what they can say to each
 * other.
 */
export interface Contract {
  /** what this build speaks */
  version: number
  /** the oldest that it still takes from the other side */
  oldest: number
}

/**
 * `version` goes up with every change that the other side can notice; `oldest` only where a build of before would be
 * understood wrongly. A verb the other side does not know is refused by itself and breaks nothing else.
 */
export const contract: Contract = { version: 1, oldest: 1 }

/** `too-old`, `too-new`: theirs, so that nothing may be asked of it. */
export type ContractFit = 'same' | 'older' | 'newer' | 'too-old' | 'too-new'

/** @param theirs null: of a build from before there were versions */
export function fitOf(theirs: Contract | null, ours: Contract = contract): ContractFit {
  const { version, oldest } = theirs ?? { version: 0, oldest: 0 }
  if (version < ours.oldest) return 'too-old'
  if (oldest > ours.version) return 'too-new'
  return version === ours.version ? 'same' : version < ours.version ? 'older' : 'newer'
}

/** Read by hand, as everything on a command's way to its engine. null: it is none. */
export function readContract(value: unknown): Contract | null {
  if (typeof value !== 'object' || value === null) return null
  const { version, oldest }: Record<string, unknown> = { ...value }
  return isCount(version) && isCount(oldest) ? { version, oldest } : null
}

const isCount = (value: unknown): value is number => Number.isSafeInteger(value) && Number(value) >= 0
