/** null when it is no valid percent-encoding: such a key or name matches nothing. */
export function percentDecoded(text: string): string | null {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (error) {
    if (error instanceof URIError) return null
    throw error
  }
}
