/** Input events of Electron by which a person asks for something; moving and scrolling ask for nothing. */
const asking: ReadonlySet<string> = new Set(['mouseUp', 'rawKeyDown', 'keyDown', 'gestureTap', 'touchEnd'])
/** As long as Chromium takes a click for the cause of what a page does (transient activation of the HTML standard). */
const lastsMs = 5_000

export interface Gestures {
  /** an input event of the window, by its type */
  seen(type: string): void
  /** whether a person just asked for something; each gesture counts once */
  take(): boolean
}

/** A person's input in a window, as the system reports it: a page can't make up these events. */
export function createGestures(now: () => number): Gestures {
  let last = -Infinity
  return {
    seen(type) {
      if (asking.has(type)) last = now()
    },
    take() {
      const given = now() - last <= lastsMs
      last = -Infinity
      return given
    },
  }
}
