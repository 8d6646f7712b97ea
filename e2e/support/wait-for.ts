/** Waits on a condition of the real world (a process, a screen, a file), bounded. */
export async function waitFor<T>(
  what: string,
  look: () => T | null | undefined | false | Promise<T | null | undefined | false>,
  limitMs = 20_000,
): Promise<T> {
  const end = Date.now() + limitMs
  for (;;) {
    const found = await look()
    if (found) return found
    if (Date.now() > end) throw new Error(`waited ${limitMs} ms for ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
}
