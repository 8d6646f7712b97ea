/**
 * Splits `provider.model`, `provider/model` or `provider,model`, where the provider exists; model names may hold dots,
 * slashes and colons themselves. Returns null for anything else.
 */
export function splitTarget(
  text: string,
  providers: Readonly<Record<string, unknown>>,
): { providerId: string; model: string } | null {
  const at = text.search(/[./,]/)
  if (at <= 0) return null
  const providerId = text.slice(0, at)
  const model = text.slice(at + 1).trim()
  return Object.hasOwn(providers, providerId) && model !== '' ? { providerId, model } : null
}
