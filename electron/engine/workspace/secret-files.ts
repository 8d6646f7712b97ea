/**
 * What holds secrets, by its name or its first bytes. Rather a harmless file too many than a key in a prompt: the
 * reviewer is told why, and does without.
 */

/** `name` stands for the whole name in lower case. */
const files: readonly { name: RegExp; why: string }[] = [
  { name: /^\.env/, why: 'files of environment variables' },
  { name: /\.env$/, why: 'files of environment variables' },
  { name: /\.(?:pem|key|p12|pfx|jks|keystore|kdbx|ppk)$/, why: 'keys' },
  { name: /^id_(?:rsa|dsa|ecdsa|ed25519)/, why: 'keys' },
  {
    name: /^(?:\.npmrc|[._]netrc|\.pypirc|\.git-credentials|\.htpasswd|\.pgpass|\.my\.cnf|\.boto|\.s3cfg|\.dockercfg|\.vault-token|\.terraformrc|auth\.json|oauth_creds\.json|kubeconfig)$/,
    why: 'credentials',
  },
  { name: /^\.?credentials/, why: 'credentials' },
  { name: /^\.?secrets?\./, why: 'secrets' },
  { name: /^service-account.*\.json$/, why: 'credentials' },
  { name: /\.tfstate(?:\.backup)?$/, why: 'credentials' },
]

/** They say which variables there are, without their values. */
const harmless: ReadonlySet<string> = new Set([
  '.env.example',
  '.env.sample',
  '.env.template',
  'example.env',
  'sample.env',
  'template.env',
])

/** Git's own config may hold tokens, and its objects every file that ever was. */
const folders: ReadonlyMap<string, string> = new Map([
  ['.git', 'git’s own files'],
  ['.ssh', 'keys'],
  ['.gnupg', 'keys'],
  ['.aws', 'credentials'],
  ['.kube', 'credentials'],
  ['.docker', 'credentials'],
])

const heads: readonly RegExp[] = [
  /^-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/m,
  /^PuTTY-User-Key-File-\d/m,
  /^AGE-SECRET-KEY-1/m,
]

/** Of a file's beginning that is looked at for a key. */
export const headBytes = 4_096

/** Whether any part of a path names what holds secrets: which kind, else null. */
export function secretByName(path: string): string | null {
  for (const part of path.split(/[\\/]/)) {
    const folded = fold(part)
    for (const name of new Set([folded, withoutWindowsEnd(folded)])) {
      if (harmless.has(name)) continue
      const why = folders.get(name) ?? files.find((row) => row.name.test(name))?.why
      if (why !== undefined) return why
    }
  }
  return null
}

/** Whether a text begins with, or early on has, a private key. */
export const secretByHead = (head: string): boolean => heads.some((pattern) => pattern.test(head))

/** One name for names that some file systems take for the same: HFS+ ignores case and these characters. */
const fold = (name: string): string =>
  name
    .normalize('NFKC')
    .replace(/[\u200b-\u200f\u202a-\u202e\u2060-\u206f\ufeff]/g, '')
    .toLowerCase()

/** Windows cuts off dots and blanks at a name's end, and `::$DATA` names the file itself. */
const withoutWindowsEnd = (name: string): string => name.replace(/:.*$/s, '').replace(/[. ]+$/, '')
