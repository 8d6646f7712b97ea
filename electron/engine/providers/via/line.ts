/** One connection to another engine: whole messages, each once and in order, until it is lost. */
export interface Line {
  send(message: Buffer): void
  /** bytes of one message at most */
  most: number
  /** call once, before anything can have come */
  onMessage(take: (message: Buffer) => void): void
  /** settles when it is gone, with why */
  lost: Promise<Error>
  close(): void
}

/** Where the own socket of an engine takes such a connection. */
export const lendPath = '/lend'

/** @throws OnwardError why that engine can't be reached */
export type OpenLine = (engine: string) => Promise<Line>
