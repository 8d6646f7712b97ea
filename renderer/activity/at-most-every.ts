/** Runs at once when asked, then not again for `ms`; requests made meanwhile are met once at its end. */
export interface Paced {
  ask(): void
  dispose(): void
}

export function atMostEvery(ms: number, run: () => void): Paced {
  let timer: ReturnType<typeof setTimeout> | null = null
  let asked = false
  const go = () => {
    asked = false
    timer = setTimeout(() => {
      timer = null
      if (asked) go()
    }, ms)
    run()
  }
  return {
    ask() {
      if (timer === null) go()
      else asked = true
    },
    dispose() {
      if (timer !== null) clearTimeout(timer)
      timer = null
    },
  }
}
