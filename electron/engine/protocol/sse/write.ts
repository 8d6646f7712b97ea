/** Writes events; data is JSON and so never holds a line break. */
export const sseEvent = (data: unknown, name?: string): string => `${name === undefined ? '' : `event: ${name}\n`}data: ${JSON.stringify(data)}\n\n`
