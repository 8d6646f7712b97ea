/** Names that a config knows, apart from its schema: the page needs them and must not bring a validator along. */
export const providerTypes = ['openai-chat', 'openai-responses', 'anthropic', 'gemini', 'simulator'] as const
export type ProviderType = (typeof providerTypes)[number]

export const routeCategories = [
  'default',
  'background',
  'thinking',
  'longContext',
  'vision',
  'webSearch',
  'coding',
  'tools',
  'review',
] as const
export type RouteCategory = (typeof routeCategories)[number]

/** names of schema rules, so that a translation can find its words for them */
export const providerIdRule = 'a provider id has letters, digits, - and _ only'
export const timeOfDayRule = 'A time as in 22:00.'

/** The name of an HTTP header (RFC 9110, token). */
export const headerName = /^[\w!#$%&'*+.^`|~-]+$/

/** What a machine or an engine of a fleet can be called. */
export const viaName = /^[A-Za-z0-9][A-Za-z0-9._-]{0,62}$/
