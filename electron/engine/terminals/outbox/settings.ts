/** Durations, in milliseconds. `settleMs` comes from the config and may change while running. */
export interface OutboxSettings {
  /** after a response, where the agent does not show that it came to rest */
  settleMs: number
  /** an agent comes to rest within this time after a response: its screen is read often */
  restMs: number
  /** most do within the settle time, in which the screen of one that was seen at work is read again after this */
  restPauseMs: number
  /** how long a submitted text may stay without receipt while no request of the scope is in flight */
  receiptMs: number
  /** a hold that lasts this long is announced once */
  heldLongMs: number
  /** after a person's draft or keys the line must have been empty for so long */
  quietLineMs: number
  /** a text that a person sent makes its request, or shows the agent at work, within this time */
  sentMs: number
  /** a text that stands in the composer and can't be entered is taken out after so long */
  takeOutMs: number
  /** while held: checked again at least this often */
  checkAgainMs: number
  /** however fast a screen changes, it is not read more often than this */
  screenPauseMs: number
  /** a terminal that does not answer within this time is not positively idle */
  readMs: number
  /** typing takes seconds; after this long the link is taken for broken */
  typeMs: number
  /** taking a text out may take so long before other entries get their turn */
  outMs: number
  /** when the disk refused: try again after */
  writeAgainMs: number
  /** ended entries stay for late receipts and to know our own texts */
  keepEntries: number
  keepMs: number
}

export const defaultOutboxSettings: OutboxSettings = {
  settleMs: 400,
  restMs: 3_000,
  restPauseMs: 25,
  receiptMs: 60_000,
  heldLongMs: 120_000,
  quietLineMs: 2_000,
  sentMs: 5_000,
  takeOutMs: 3_000,
  checkAgainMs: 2_000,
  screenPauseMs: 100,
  readMs: 5_000,
  typeMs: 60_000,
  outMs: 15_000,
  writeAgainMs: 5_000,
  keepEntries: 50,
  keepMs: 7 * 24 * 3_600_000,
}
