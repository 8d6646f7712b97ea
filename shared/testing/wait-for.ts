/**
 * How long a test waits for the real world before it gives up. Long: a busy machine is slow, and a fault is seen as
 * well.
 */
const PATIENCE_MS = 60_000
/** Less is a race against whatever else the machine does. */
const LEAST_MS = 10_000
/** from so often at first to so seldom in the end: to look at a screen takes a process */
const PAUSES_MS = { first: 5, most: 100, factor: 1.3 }

type Probe<T> = () => T | null | undefined | false | Promise<T | null | undefined | false>

/**
 * Waits on a condition of the real world (a process, a screen, a file), bounded; `what` names it when it never comes.
 * @param limitMs at least ten seconds: a disk or a process on a busy machine may take as long
 */
export async function waitFor<T>(what: string, probe: Probe<T>, limitMs = PATIENCE_MS): Promise<T> {
  if (limitMs < LEAST_MS) throw new Error(`${limitMs} ms are too few to wait for ${what}: a busy machine needs more`)
  const end = performance.now() + limitMs
  for (let pause = PAUSES_MS.first; ; pause = Math.min(PAUSES_MS.most, pause * PAUSES_MS.factor)) {
    const found = await probe()
    if (found) return found
    if (performance.now() > end) throw new Error(`waited ${limitMs} ms for ${what}`)
    await new Promise((resolve) => {
      setTimeout(resolve, pause)
    })
  }
}

/** The same where the condition says itself what is waited for. */
export const until = <T>(probe: Probe<T>): Promise<T> => waitFor(String(probe), probe)
