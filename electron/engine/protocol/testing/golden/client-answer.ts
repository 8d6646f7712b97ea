/** An answer as a client has it in the end. Made by readers that share no code with the codecs. */
export interface ClientAnswer {
  text: string
  thinking: string
  refusal: string
  /** what the vendor searched the web for */
  searches: string[]
  calls: { id: string | null; name: string; arguments: string }[]
  /** in the protocol's own words; null: it never ended */
  finish: string | null
  /** tokens as the protocol counts them, by its own names; null: it says none */
  usage: Record<string, number> | null
  citations: string[]
  error: string | null
}

export const noAnswer = (): ClientAnswer => ({
  text: '',
  thinking: '',
  refusal: '',
  searches: [],
  calls: [],
  finish: null,
  usage: null,
  citations: [],
  error: null,
})

/** What stands at a path of JSON of unknown shape. */
export function at(value: unknown, ...path: readonly (string | number)[]): unknown {
  let found: unknown = value
  for (const name of path)
    found = typeof found === 'object' && found !== null ? members(found)[String(name)] : undefined
  return found
}

export const members = (value: unknown): Record<string, unknown> => Object.fromEntries(Object.entries(value ?? {}))

/** The data of each event, as plain text processing finds it. */
export const eventsOf = (stream: string): unknown[] =>
  stream
    .split(/\r?\n\r?\n/)
    .map((event) =>
      event
        .split(/\r?\n/)
        .filter((line) => line.startsWith('data:'))
        .map((line) => line.slice('data:'.length).trimStart())
        .join('\n'),
    )
    .filter((data) => data !== '' && data !== '[DONE]')
    .map((data): unknown => JSON.parse(data))

export const words = (value: unknown): string => (typeof value === 'string' ? value : '')
export const named = (value: unknown): string | null => (typeof value === 'string' && value !== '' ? value : null)
export const countOf = (value: unknown): number => (typeof value === 'number' ? value : 0)
export const each = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])
