/** What holds secrets by what stands in it. */

/** One of these stands in every private key; looking for them costs next to nothing. */
const signs = ['PRIVATE KEY', 'PuTTY-User-Key-File-', 'AGE-SECRET-KEY-1'] as const

/**
 * A key at a line's beginning, behind what quotes or indents it; or anywhere, with what belongs in it right behind: as
 * in the string of a JSON file. The words alone, as a program has them, are no key.
 */
const keys: readonly RegExp[] = [
  /^[ \t>|+#*/-]{0,40}-----BEGIN (?:[A-Z0-9]+ ){0,6}PRIVATE KEY(?: BLOCK)?-----[ \t]*\r?$/m,
  /-----BEGIN (?:[A-Z0-9]+ ){0,6}PRIVATE KEY(?: BLOCK)?-----(?:\\[nrt]|[\s"'\\+,]){1,40}[A-Za-z0-9+/=]{32}/,
  /^[ \t]{0,40}---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/m,
  /^[ \t]{0,40}PuTTY-User-Key-File-\d/m,
  /AGE-SECRET-KEY-1[0-9A-Z]{2}/,
]

/** Whether a private key stands anywhere in it. */
export function holdsPrivateKey(content: Buffer): boolean {
  if (!signs.some((sign) => content.includes(sign))) return false
  const text = content.toString('latin1')
  return keys.some((pattern) => pattern.test(text))
}

/**
 * Keys of known services by their own form, as the vendors document them and secret scanners look for them. What has
 * no such form (a password) can't be told from other text.
 */
const forms: readonly RegExp[] = [
  /(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/,
  /gh[pousr]_[0-9A-Za-z]{20,}/,
  /github_pat_\w{20,}/,
  /gl(?:pat|ptt|dt|rt|oas)-[\w-]{16,}/,
  /xox[abeoprs]-[\w-]{10,}/,
  /xapp-\d-[\w-]{10,}/,
  /sk-(?:ant-|proj-|svcacct-|or-)[\w-]{16,}/,
  /sk-[0-9A-Za-z]{32,}/,
  /[sr]k_live_[0-9A-Za-z]{10,}/,
  /whsec_[\w+/=]{20,}/,
  /AIza[\w-]{30,}/,
  /ya29\.[\w-]{20,}/,
  /GOCSPX-[\w-]{20,}/,
  /npm_[0-9A-Za-z]{30,}/,
  /pypi-AgE[\w-]{20,}/,
  /hf_[0-9A-Za-z]{30,}/,
  /SG\.[\w-]{16,}\.[\w-]{16,}/,
  /dop_v1_[0-9a-f]{30,}/,
  /dckr_pat_[\w-]{20,}/,
  /hvs\.[\w-]{20,}/,
  /shp(?:at|ca|pa|ss)_[0-9a-f]{20,}/,
  /lin_api_[0-9A-Za-z]{20,}/,
  /xai-[0-9A-Za-z]{30,}/,
  /gsk_[0-9A-Za-z]{30,}/,
  /pplx-[0-9A-Za-z]{30,}/,
  /eyJ[\w-]{10,4000}\.eyJ[\w-]{10,}\.[\w-]{10,}/,
]
const tokens = new RegExp(`\\b(?:${forms.map(({ source }) => source).join('|')})`, 'g')

/** A text with the keys in it left out, and that they were. */
export const withoutTokens = (text: string): string => text.replace(tokens, '[a key, left out]')
