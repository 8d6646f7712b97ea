/**
 * How the line begins that tells the time behind one request and no later one: nothing that is cached may end with it.
 */
export const timeTagStart = '[Time/Date]: '

export const isTimeTag = (text: string): boolean => text.startsWith(timeTagStart)
