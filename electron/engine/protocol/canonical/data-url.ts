const head = /^data:([^;,]*)((?:;[^;,]*)*),/i

/** A base64 data URL taken apart, null for anything else. The data is a slice, not a copy. */
export function parseDataUrl(url: string): { mediaType: string; base64: string } | null {
  if (!url.startsWith('data:')) return null
  const found = head.exec(url.slice(0, 256))
  if (!found || !/;base64$/i.test(found[2] ?? '')) return null
  return { mediaType: found[1] ?? '', base64: url.slice(found[0].length) }
}

export const dataUrl = (mediaType: string, base64: string): string => `data:${mediaType};base64,${base64}`
