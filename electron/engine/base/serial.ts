/** Runs work one piece after the other, in the order it was handed in. A piece that throws does not stop the next. */
export type Serial = <T>(work: () => Promise<T>) => Promise<T>

export function serial(): Serial {
  let last: Promise<unknown> = Promise.resolve()
  return (work) => {
    const run = last.then(work, work)
    last = run.catch(() => undefined)
    return run
  }
}
