/** Writes one event; data is JSON and so never holds a line break. */
export const sseEvent = (data: unknown, name?: string): string =>
  `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`

/** An event that is named after its own type, as Responses and Messages write them. */
export interface TypedEvent {
  readonly type: string
  readonly [member: string]: unknown
}

export const typedEvent = (event: TypedEvent): string => sseEvent(event, event.type)
