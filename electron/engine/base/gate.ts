/** Holds back less urgent work until something more urgent is done. */
export interface Gate {
  opened: Promise<void>
  /** once is enough */
  open(): void
}

export function gate(): Gate {
  let open: () => void = () => undefined
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open: () => open() }
}
