/**
 * The beginning of the line that gives the time at the end of one request and no later one: nothing that is cached may
 * end with it.
 */
export const timeTagStart = '[Time/Date]: '

export const isTimeTag = (text: string): boolean => text.startsWith(timeTagStart)
