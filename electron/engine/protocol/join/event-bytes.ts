import { Frame } from '../answer/frame.ts'

/**
 * Writes the event with other data, under its old name. JSON has line breaks only between tokens, where a space means
 * the same.
 */
export function eventBytes(event: Pick<Frame, 'name'>, data: Buffer): Buffer {
  const oneLine = data.includes(0x0a) ? Buffer.from(data.toString('latin1').replaceAll('\n', ' '), 'latin1') : data
  const head = event.name === '' ? 'data: ' : `event: ${event.name}\ndata: `
  return Buffer.concat([Buffer.from(head), oneLine, Buffer.from('\n\n')])
}

/** The same as a frame. */
export const eventFrame = (event: Pick<Frame, 'name'>, data: Buffer): Frame =>
  Frame.of(eventBytes(event, data), data, event.name)

/** True for comments, which keep a connection alive. */
export const isKeepAlive = (event: Frame): boolean =>
  !event.says && /^[\r\n]*:/.test(event.raw.toString('latin1', 0, 16))

/** True for stray line ends. */
export const isBlank = (event: Frame): boolean => !event.says && !/[^\r\n]/.test(event.raw.toString('latin1', 0, 16))
