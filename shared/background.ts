/** Work that an agent began and that goes on without it. `what`: its own words for it; null: not known */
export interface BackgroundWork {
  kind: 'command' | 'monitor' | 'agent' | 'other'
  what: string | null
}

/** A stop that is not answered yet because of such work. `more`: the number of other works it waits for */
export interface BackgroundWait extends BackgroundWork {
  since: number
  /** after that the agent goes on while the work still runs */
  until: number
  more: number
}
