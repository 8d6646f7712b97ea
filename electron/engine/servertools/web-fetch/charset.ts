/** Where HTML names its charset (HTML standard, “prescan a byte stream”: within the first 1024 bytes). */
const META =
  /<meta[^>]{0,500}?charset\s*=\s*["']?\s*([\w.:-]{1,40})|^<\?xml[^>]{0,200}?encoding\s*=\s*["']([\w.:-]{1,40})/i

/**
 * Decodes the body: by its byte order mark, else by its header, else by the page's own declaration, else as UTF-8. A
 * body with an unknown charset is decoded all the same.
 */
export function decodeBody(body: Buffer, contentType: string | undefined): string {
  const declared = /charset\s*=\s*["']?\s*([\w.:-]+)/i.exec(contentType ?? '')?.[1]
  const decoder = byMark(body) ?? known(declared) ?? known(inPage(body)) ?? new TextDecoder()
  return decoder.decode(body)
}

function byMark(body: Buffer): TextDecoder | null {
  if (body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf) return new TextDecoder()
  if (body[0] === 0xff && body[1] === 0xfe) return new TextDecoder('utf-16le')
  return body[0] === 0xfe && body[1] === 0xff ? new TextDecoder('utf-16be') : null
}

function inPage(body: Buffer): string | undefined {
  const found = META.exec(body.subarray(0, 1024).toString('latin1'))
  const name = found?.[1] ?? found?.[2]
  // It was read as single bytes, so it can't be that (HTML standard).
  return name !== undefined && /^utf-?16/i.test(name) ? 'utf-8' : name
}

function known(label: string | undefined): TextDecoder | null {
  if (label === undefined) return null
  try {
    return new TextDecoder(label)
  } catch (error) {
    if (error instanceof RangeError) return null
    throw error
  }
}
