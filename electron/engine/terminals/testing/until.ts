/** Waits for a condition of real processes, bounded; `what` names it when it never comes. */
export async function until(
  what: string,
  condition: () => boolean | Promise<boolean>,
  withinMs = 15_000,
): Promise<void> {
  const end = performance.now() + withinMs
  while (!(await condition())) {
    if (performance.now() > end) throw new Error(`waited ${withinMs} ms for ${what}`)
    await new Promise((resolve) => {
      setTimeout(resolve, 15)
    })
  }
}
