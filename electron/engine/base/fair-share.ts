/** ms of one turn of the event loop that all work of this kind together may take. */
const LONGEST_MS = 5

let began: number | null = null
let isArmed = false
const waiting: (() => void)[] = []

function arm(): void {
  if (isArmed) return
  isArmed = true
  setImmediate(nextTurn)
}

/** Each waiter gets a turn of the event loop of its own. */
function nextTurn(): void {
  isArmed = false
  began = null
  const work = waiting.shift()
  if (waiting.length > 0) arm()
  work?.()
}

/** Cuts long work on input from outside into pieces. */
export interface FairShare {
  /** to be asked before each piece; false: it is time to wait */
  hasTime(): boolean
  wait(then: () => void): void
}

/** One for the whole process, as its event loop is. */
export const fairShare: FairShare = {
  hasTime() {
    const now = performance.now()
    if (began === null) {
      began = now
      arm()
    }
    return now - began < LONGEST_MS
  },
  wait(then) {
    waiting.push(then)
    arm()
  },
}

/** To be awaited before each piece of what is long. */
export const ownShare = async (): Promise<void> => {
  if (!fairShare.hasTime()) await new Promise<void>(fairShare.wait)
}

const ownTurns: (() => void)[] = []

function next(): void {
  ownTurns.shift()?.()
  if (ownTurns.length > 0) setImmediate(next)
}

/**
 * Resolves in a turn of the event loop that no other caller gets: slices of work beside each other, at a start above
 * all, would make one long turn together.
 */
export const ownTurn = (): Promise<void> =>
  new Promise((resolve) => {
    if (ownTurns.push(resolve) === 1) setImmediate(next)
  })
