/** Work that an agent began and that goes on without it. `what`: its own words for it; null: not known */
export interface BackgroundWork {
  kind: 'command' | 'monitor' | 'agent' | 'other'
  what: string | null
}

/** A stop that is not answered yet because of such work. `more`: other work that is waited for besides */
export interface BackgroundWait extends BackgroundWork {
  since: number
  /** from then on the agent goes on beside it */
  until: number
  more: number
}
