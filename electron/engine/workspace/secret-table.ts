/**
 * Places that hold secrets: by name, by the folder, by content; and the forms of secrets themselves. Each row names its
 * source: a secret scanner's list (gitrob, shhgit at bac0c7d, whispers, leaky-repo, gitleaks at b58d3f1 with its rule),
 * or `docs`, where the tool itself says that it keeps its secrets there. Better to hide one harmless file too many than
 * to show a key in a prompt. Names are whole ones in lower case, without what makes a copy of them.
 */
export interface SecretName {
  name: RegExp
  why: string
  source: string
}

const oneOf = (...names: readonly string[]): RegExp => new RegExp(`^(?:${names.join('|')})$`)

const ended = (...endings: readonly string[]): RegExp => new RegExp(`\\.(?:${endings.join('|')})$`)

/** Source code that reads secrets and documents that describe them don't count. */
const told = String.raw`(?!.*\.(?:tsx?|go|java|kt|rs|cs|scala|swift|tf|md|rst|adoc)$)`
const data = String.raw`(?:json|ya?ml|toml|ini|properties|conf|cfg|xml|txt)`
const live = '(?:prod|prd|production|live|staging|stage|local|private)'
const settings = '(?:settings|config(?:uration)?|parameters|environment|database|application|bootstrap|app)'

/** Names of files, or of folders with all that is below them. */
export const secretNames: readonly SecretName[] = [
  { name: /^\.env/, why: 'files of environment variables', source: 'shhgit, leaky-repo' },
  { name: /\.env$/, why: 'files of environment variables', source: 'shhgit' },
  { name: /^\.dev\.vars/, why: 'files of environment variables', source: 'docs of wrangler' },
  { name: oneOf(`env\\.${live}[a-z]*`, '\\.flaskenv'), why: 'files of environment variables', source: 'docs of Flask' },
  {
    name: ended(
      'pem|key|p8|p12|pfx|pkcs12|jks|jceks|bks|keystore|keytab|keychain(?:-db)?|kdbx?|psafe3|agilekeychain|ppk|ovpn',
      'tblk|kwallet|bek|psk|nmconnection',
    ),
    why: 'keys',
    source: 'gitrob, shhgit, gitleaks pkcs12-file',
  },
  { name: /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)/, why: 'keys', source: 'gitrob, docs of ssh-keygen' },
  { name: /^wg\d+\.conf$|^wg[-_].*\.conf$|wireguard.*\.conf$/, why: 'keys', source: 'docs of wg-quick' },
  {
    name: oneOf('control-token|secring\\.gpg|otr\\.private_key|key[34]\\.db|authkey_.*|ssh_host_.*_key'),
    why: 'keys',
    source: 'gitrob, docs',
  },
  {
    // of one tool each
    name: oneOf(
      '\\.npmrc|\\.yarnrc(?:\\.yml)?|\\.pypirc|pip\\.conf|\\.terraformrc|terraform\\.rc|knife\\.rb|nuget\\.config',
      '[._]?netrc|\\.curlrc|\\.wgetrc|\\.git-credentials|\\.gitconfig|\\.gitrobrc|\\.rhosts',
      '\\.?pgpass(?:\\.conf)?|\\.?pg_service\\.conf|\\.?my\\.cnf|\\.mylogin\\.cnf|proftpdpasswd',
      '\\.boto|\\.?s3cfg|\\.tugboat|\\.?dockercfg|\\.?docker-?config\\.?json|\\.?rclone\\.conf',
      '\\.vault-token|vault\\.ya?ml|\\.?vault[-_]pass(?:word)?(?:[-_]file)?(?:\\.[a-z]+)?|\\.?ansible[-_]vault.*',
      'auth\\.json|oauth_creds\\.json|token\\.json|access_?tokens\\.(?:db|json)|logins\\.json|heroku\\.json',
      'application_default_credentials\\.json|client_secrets?.*\\.json|.*-adminsdk-.*\\.json',
      'sftp(?:-config)?\\.json|\\.ftpconfig|\\.remote-sync\\.json|webservers\\.xml|robomongo\\.json',
      'recentservers\\.xml|filezilla\\.xml|sitemanager\\.xml|\\.?dbeaver-data-sources\\.xml|deployment-config\\.json',
      '\\.databrickscfg|\\.snowsql|wp-config(?!-sample)[-_.a-z0-9]*\\.(?:php|bak|old|inc)(?:\\.txt)?',
      'localsettings\\.php|jupyter_(?:notebook|server)_config\\.json|.*\\.publishsettings|.*\\.cscfg',
      '\\.?muttrc|\\.msmtprc|\\.esmtprc|\\.fetchmailrc|\\.mailrc|\\.offlineimaprc',
      '.*access_?keys\\.csv|rootkey\\.csv|azure(?:profile|auth)\\.json|connectionstrings\\.(?:config|json)|.*\\.creds?',
      'settings-security\\.xml|\\.sentryclirc|wpa_supplicant.*\\.conf|(?:ch|p)ap-secrets|\\.?smbcredentials',
      'ipsec\\.secrets|krb5cc_.*|\\.?xauthority|\\.?cookies?(?:-?jar)?\\.(?:txt|json|sqlite|db)|\\.?cookie-?jar',
      '(?:key|keystore|signing|release)\\.properties|secret_token\\.rb|mongoid\\.yml|ventrilo_srv\\.ini|\\.trc',
    ),
    why: 'credentials',
    source: 'gitrob, shhgit, whispers, leaky-repo, docs',
  },
  {
    name: oneOf(
      `(?:.*[-_.])?kube-?config(?:[-_][a-z0-9-]+)*(?:\\.${data})?`,
      'kube_config_.*\\.ya?ml|k3s\\.ya?ml|rke2\\.ya?ml|kubelet\\.conf|admin\\.conf',
    ),
    why: 'credentials',
    source: 'docs of kubectl, kubeadm, k3s and RKE',
  },
  {
    name: oneOf(`(?:.*\\.)?\\.?ht(?:passwd|digest)s?(?:[-_][a-z0-9-]+)*(?:\\.(?:txt|conf|db|users|${live}[a-z]*))?`),
    why: 'passwords',
    source: 'shhgit, docs of htpasswd',
  },
  { name: new RegExp(`^\\.?credentials${told}`), why: 'credentials', source: 'gitrob' },
  {
    name: /[-_.]credentials?(?:\.(?:json|xml|ya?ml|toml|ini|csv|txt|properties|db|plist|cfg))?$/,
    why: 'credentials',
    source: 'whispers',
  },
  { name: /service[-_]?account.*\.(?:json|ya?ml|p12)$/, why: 'credentials', source: 'docs of Google Cloud' },
  { name: /\.tfvars(?:\.json)?$/, why: 'credentials', source: 'shhgit' },
  { name: /\.tfstate(?:\..*)?$/, why: 'credentials', source: 'docs of Terraform' },
  {
    name: new RegExp(String.raw`^\.?secrets?(?=\.)${told}|^\.secrets?(?:$|[-_])`),
    why: 'secrets',
    source: 'gitrob, docs of act and Dynaconf',
  },
  { name: /[-_.]secrets?\.(?:json|ya?ml|toml|ini|properties|env|txt|exs)$/, why: 'secrets', source: 'docs of Phoenix' },
  { name: /^\.?passwords?\.(?:txt|csv|json|ya?ml|xlsx?|db)$/, why: 'secrets', source: 'leaky-repo' },
  {
    name: oneOf(
      `(?:.*[-_.])?${settings}[-_.]${live}[a-z]*(?:[-_.][a-z0-9-]+)*\\.(?:${data}|py|php|rb|exs|config)`,
      `${live}[-_.]${settings}\\.(?:${data}|py|php|rb|exs|config)`,
      'appsettings\\.[^.]+\\.json|web\\.(?:release|production)\\.config',
      'local_?settings\\.py|parameters\\.ya?ml|database\\.yml',
    ),
    why: 'settings of where it runs',
    source: 'shhgit, docs of .NET, Spring, Django, Rails, Symfony and Phoenix',
  },
  {
    // MCP servers get their keys by environment and headers.
    name: oneOf(
      '\\.?mcp\\.json',
      'mcp[-_](?:config|settings|servers)\\.json',
      'claude_desktop_config\\.json',
      '\\.claude\\.json',
    ),
    why: 'settings of agents with keys',
    source: 'docs of Claude Code and the Model Context Protocol',
  },
  {
    name: /^\.z?(?:[a-z0-9]+[-_])*hist(?:ory|file)?(?:\.(?:txt|db))?$/,
    why: 'what was typed',
    source: 'gitrob, shhgit',
  },
  {
    name: oneOf(
      '(?:bash|zsh|fish)_history',
      '\\.rhistory',
      'consolehost_history\\.txt',
      '\\.lesshst',
      '\\.n?viminfo',
      '\\.dbshell',
    ),
    why: 'what was typed',
    source: 'docs',
  },
  {
    name: /^\.(?:bash|zsh|z|k|c|tc)(?:rc|env|profile|_profile|login|_login|_aliases)$|^\.(?:profile|exports|extra)$/,
    why: 'settings of a shell',
    source: 'shhgit',
  },
]

/** Names of files only: the content of a folder with such a name may be looked at. */
export const secretAsFiles: readonly SecretName[] = [
  { name: /_(?:rsa|dsa|ecdsa|ed25519)$/, why: 'keys', source: 'gitrob' },
  { name: /^(?:g?shadow-?|passwd-?)$/, why: 'secrets', source: 'gitrob' },
  {
    name: oneOf(
      '(?:\\.|.*[-_])?(?:private|preshared|secret|api|access|master)[-_]?keys?(?:\\.(?:txt|json|ya?ml|asc|gpg|bin))?',
    ),
    why: 'keys',
    source: 'leaky-repo, docs of wg',
  },
  {
    name: /^(?:\.|(?!.*public).*[-_])(?:keys?|keyfile|jwt)(?:\.txt)?$|^keyfile$|^secret_key_base$/,
    why: 'keys',
    source: 'docs of MongoDB and Rails',
  },
  {
    name: /^(?:(?:\.|.*[-_.])(?:pass|pwd|secret)|(?:\.|.*[-_.])?(?:password|passwd|passphrase))s?(?:\.txt)?$/,
    why: 'passwords',
    source: 'leaky-repo, docs of Docker',
  },
  { name: /^(?:env|identity|cookies)$/, why: 'secrets', source: 'docs of ssh and Chromium' },
  { name: /^(?:\.|.*[-_.])?tokens?(?:\.txt)?$/, why: 'keys', source: 'docs of Kubernetes and Vault' },
  { name: /^\.?secrets?$/, why: 'secrets', source: 'docs of act' },
]

/** They say which variables there are, without their values. */
export const harmlessNames: ReadonlySet<string> = new Set(
  (
    '.env.example|.env.sample|.env.template|.env.dist|example.env|sample.env|template.env|example.tfvars|' +
    '.dev.vars.example|.secrets.example|appsettings.example.json|appsettings.template.json'
  ).split('|'),
)

/** Endings that editors, people and tools add to the name of a copy. */
export const copyEndings =
  /(?:[-_.](?:bak|backup|old|orig|original|save|saved|copy|tmp|temp|disabled|kate-swp|rpmsave|dpkg-old|\d{1,8})|\.sw[a-p]|~|#| ?\(\d+\)| copy(?: \d+)?)$/

/** Below the session's folder, and around it: an agent that works in one of them is not looked at. */
export const secretFolders: ReadonlyMap<string, string> = new Map([
  ['.ssh', 'keys'],
  ['.gnupg', 'keys'],
  ['.password-store', 'keys'],
  ['.aws', 'credentials'],
  ['.azure', 'credentials'],
  ['.kube', 'credentials'],
  ['.docker', 'credentials'],
  ['.oci', 'credentials'],
  ['.purple', 'credentials'],
  ['.mozilla', 'what a browser keeps'],
  ['.thunderbird', 'what a mail program keeps'],
])

/** `names` have `|` between them. */
const below = (folder: string, names: string, why: string) =>
  names.split('|').map((name) => ({ way: [...folder.split('/'), name], why }))

const running = 'production.json|prod.json|production.yml|production.yaml|production.toml|production.ini|local.json'

/** Files and folders known by the folder they stand in, from the documentation of the tools. */
export const secretWays: readonly { way: readonly string[]; why: string }[] = [
  ...below('.config', 'gcloud|gh|glab-cli|hub|op|doctl|hcloud|heroku|netlify|configstore|sops|helm', 'credentials'),
  ...below('.config', 'containers|fish|github-copilot|gspread|nuget|pulumi|flyctl|.wrangler|stripe', 'credentials'),
  ...below('.config', 'google-chrome|chromium|bravesoftware|microsoft-edge|keepassxc|bitwarden cli', 'credentials'),
  ...below('appdata/roaming', 'gcloud|github cli|mozilla|nuget|gnupg', 'credentials'),
  ...below('library/application support', 'google|firefox|gcloud|bravesoftware', 'credentials'),
  ...below('library', 'keychains|cookies', 'keys'),
  ...below('.local/share', 'keyrings|kwalletd|opencode', 'keys'),
  ...below('etc', 'wireguard|shadow', 'keys'),
  ...below('run', 'secrets', 'secrets'),
  ...below('.m2', 'settings.xml', 'credentials'),
  ...below('.gradle', 'gradle.properties', 'credentials'),
  ...below('.dbt', 'profiles.yml', 'credentials'),
  ...below('config', `${running}|prod.exs`, 'settings of where it runs'),
  ...below('settings', `${running}|production.py|prod.py|local.py`, 'settings of where it runs'),
  // Another home of Onward's than this engine's; a folder's own `.onward/goals` may be looked at.
  ...below('.onward', 'config.json|engine.json|sessions|captures|logs|desktop|launch', 'Onward’s own'),
  ...below('.claude', 'projects|history.jsonl|shell-snapshots', 'conversations of agents'),
  ...below('.codex', 'sessions|history.jsonl|log', 'conversations of agents'),
  ...below('.gemini', 'tmp', 'conversations of agents'),
  ...below('.qwen', 'tmp', 'conversations of agents'),
  ...below('.claude', 'settings.local.json', 'settings of agents with keys'),
  ...below('.codex', 'config.toml', 'settings of agents with keys'),
  ...below('.gemini', 'settings.json', 'settings of agents with keys'),
  ...below('.qwen', 'settings.json', 'settings of agents with keys'),
]

/** A whole file that is not shown, by what stands in it. */
export interface SecretContent {
  why: string
  source: string
  /** one of these stands in each; looking for them costs next to nothing */
  signs: readonly string[]
  /** all of these are found */
  forms: readonly RegExp[]
  /** what a line of it has, for `git grep -E`; a word too many hides a patch, nothing else */
  line: string
}

/**
 * A key at the beginning of a line, after quotes or indentation; or anywhere, if what belongs in a key follows at once,
 * as in the string of a JSON file. The words alone, as a program has them, are no key.
 */
const pem = String.raw`-----BEGIN (?:[A-Z0-9]+ ){0,6}(?:PRIVATE|SECRET) KEY(?: BLOCK)?-----`
const header = String.raw`(?:Proc-Type|DEK-Info|Version|Comment|Hash|Charset): `
export const secretContents: readonly SecretContent[] = [
  {
    why: 'a private key',
    source: 'gitleaks private-key, RFC 7468, RFC 4880',
    signs: ['PRIVATE KEY', 'SECRET KEY'],
    forms: [
      new RegExp(
        String.raw`^[ \t>|+#*/-]{0,80}${pem}[ \t]*\r?$|` +
          String.raw`${pem}(?:\\[nrt]|[\s"'\\+,]){1,40}(?:[A-Za-z0-9+/=]{32}|${header})`,
        'm',
      ),
    ],
    line: 'BEGIN ([A-Z0-9]+ )*(PRIVATE|SECRET) KEY',
  },
  {
    why: 'a private key',
    source: 'RFC 4716',
    signs: ['BEGIN SSH2 ENCRYPTED PRIVATE KEY'],
    forms: [/^[ \t]{0,40}---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----/m],
    line: 'BEGIN SSH2 ENCRYPTED PRIVATE',
  },
  {
    why: 'a private key',
    source: 'docs of PuTTY',
    signs: ['PuTTY-User-Key-File-'],
    forms: [/^[ \t]{0,40}PuTTY-User-Key-File-\d/m],
    line: 'PuTTY-User-Key-File-[0-9]',
  },
  {
    why: 'a private key',
    source: 'gitleaks age-secret-key',
    signs: ['AGE-SECRET-KEY-'],
    forms: [/AGE-SECRET-KEY-(?:PQ-)?1[0-9A-Z]{2}/],
    line: 'AGE-SECRET-KEY-',
  },
  {
    // As Kubernetes and CI variables have it: “-----BEGIN …PRIVATE KEY” at any of three offsets.
    why: 'a private key in base64',
    source: 'RFC 4648, gitleaks kubernetes-secret-yaml',
    signs: ['LS0tLS1CRUdJTi'],
    forms: [/LS0tLS1CRUdJTi[A-Za-z0-9+/]{0,60}(?:UFJJVkFURSBLRV|BSSVZBVEUgS0VZ|QUklWQVRFIEtFW)/],
    line: 'LS0tLS1CRUdJTi',
  },
  {
    why: 'a private key',
    source: 'RFC 7517',
    signs: ['"kty"'],
    forms: [/"kty"\s*:\s*"(?:RSA|EC|OKP|oct)"/, /"(?:d|k)"\s*:\s*"[\w-]{16,}"/],
    line: '"(d|k)"[[:space:]]*:[[:space:]]*"[A-Za-z0-9_-]{16}',
  },
  {
    why: 'a private key',
    source: 'docs of minisign and signify',
    signs: ['secret key'],
    forms: [/^untrusted comment: .{0,80}secret key/m],
    line: 'untrusted comment: .*secret key',
  },
  {
    why: 'a private key',
    source: 'docs of wg-quick',
    signs: ['PrivateKey', 'PresharedKey', 'privatekey', 'presharedkey'],
    forms: [/^[ \t>|+#-]{0,40}(?:PrivateKey|PresharedKey)\s{0,8}=\s{0,8}[A-Za-z0-9+/]{42}[A-Za-z0-9+/]=/im],
    line: '([Pp]rivate|[Pp]reshared)[Kk]ey[[:space:]]*=[[:space:]]*[A-Za-z0-9+/]{43}=',
  },
  {
    why: 'credentials of registries',
    source: 'docs of Docker',
    signs: ['"auths"'],
    forms: [/"auth"\s*:\s*"[a-z]{0,8}[A-Z0-9+/][A-Za-z0-9+/]{7}/],
    line: '"auth"[[:space:]]*:[[:space:]]*"[a-z]{0,8}[A-Z0-9+/][A-Za-z0-9+/]{7}',
  },
  {
    why: 'cookies',
    source: 'docs of curl',
    signs: ['HTTP Cookie File'],
    forms: [/^# (?:Netscape )?HTTP Cookie File/m],
    line: '^# (Netscape )?HTTP Cookie File',
  },
  {
    why: 'a kubeconfig',
    source: 'docs of kubectl',
    signs: ['client-key-data', 'client-certificate-data'],
    forms: [/client-(?:key|certificate)-data["']?\s{0,4}:\s{0,4}["']?[A-Za-z0-9+/]{16}/],
    line: 'client-(key|certificate)-data',
  },
  {
    why: 'a kubeconfig',
    source: 'docs of kubectl',
    signs: ['current-context'],
    forms: [/^[ \t{,]{0,40}["']?users["']?\s{0,4}:/m, /["']?\b(?:token|password|access-token)["']?\s{0,4}:\s{0,4}\S/],
    line: 'current-context',
  },
  {
    why: 'a Secret of Kubernetes',
    source: 'gitleaks kubernetes-secret-yaml',
    signs: ['kind: Secret', 'kind: "Secret"', '"kind": "Secret"', '"kind":"Secret"'],
    forms: [/["']?kind["']?:\s{0,4}["']?Secret\b(?![A-Za-z])/, /^[ \t{,]{0,40}["']?(?:stringData|data)["']?\s{0,4}:/m],
    line: 'kind"?: ?"?Secret("|$|,|[[:space:]])',
  },
]

/** A secret by its own form; what is matched is left out, what stands around it stays. */
export interface SecretForm {
  form: RegExp
  source: string
}

const joined = (source: string, ...forms: readonly RegExp[]): SecretForm => ({
  form: new RegExp(`(?<![0-9A-Za-z])(?:${forms.map((form) => form.source).join('|')})`, 'g'),
  source,
})

/** Words that name a secret at their end. */
const keyed = '(?:api|access|secret|private|auth|encryption|signing|account)[-_]?key'
const called = `(?:passwd|password|pwd|passphrase|secret|token|${keyed}|credential)`
const shouted = called.toUpperCase().replaceAll('[-_]?', '_?')
/** A placeholder for a value from elsewhere is no secret. */
const given = '(?![$<{%*])'
const literal = String.raw`${given}(?=[^\s"'\`]{0,400}\d)(?=[^\s"'\`]{0,400}[A-Za-z])`

/** Words whose values persons make up. */
const word = '(?:passw(?:d|or[dt])|passphrase|pwd|client[-_]?secret|secret[-_]?key(?:[-_]?base)?)'
/** types, and words of settings */
const noValue =
  '(?:string|str|text|bytes?|bool(?:ean)?|int(?:eger)?|number|float|any|unknown|never|void|object|buffer|null|none|' +
  'nil|undefined|true|false|yes|no|on|off|required|optional|hidden|input)'
const sets = String.raw`["']?\s{0,4}(?::=|=>|[:=])\s{0,4}`
const lineEnd = String.raw`[ \t]*(?:#.*)?\r?$`

/**
 * A secret without such a form and without such a name before it (a password in a sentence) can't be told from other
 * text.
 */
export const secretForms: readonly SecretForm[] = [
  joined(
    'gitleaks, of the vendor’s name each',
    /(?:AKIA|ASIA|ABIA|ACCA)[0-9A-Z]{16}\b/,
    /ABSK[A-Za-z0-9+/]{80,300}={0,2}|LTAI[0-9A-Za-z]{16,24}\b|AKID[0-9A-Za-z]{28,}/,
    /gh[pousr]_[0-9A-Za-z]{20,}|github_pat_\w{20,}/,
    /gl(?:pat|ptt|dt|rt|oas|cbt|ffct|ft|imt|agent|soat)-[\w.-]{16,}|GR1348941[\w-]{16,}/,
    /xox[abeoprs][-.][\w.-]{10,}|xapp-\d-[\w-]{10,}/,
    /sk-(?:ant-|proj-|svcacct-|admin-|or-|lf-)[\w-]{16,}|sk-[0-9A-Za-z]{32,}/,
    /[sr]k_(?:live|test|prod)_[0-9A-Za-z]{10,}|whsec_[\w+/=]{20,}/,
    /AIza[\w-]{30,}|ya29\.[\w-]{20,}|GOCSPX-[\w-]{20,}/,
    /npm_[0-9A-Za-z]{30,}|pypi-AgE[\w-]{20,}|rubygems_[0-9a-f]{40,}|CLOJARS_[0-9A-Za-z]{50,}/i,
    /hf_[0-9A-Za-z]{30,}|api_org_[0-9A-Za-z]{30,}|r8_[0-9A-Za-z]{30,}|tvly-[\w-]{20,}/,
    /SG\.[\w-]{16,}\.[\w-]{16,}|xkeysib-[0-9a-f]{40,}[\w-]*|key-[0-9a-f]{32}\b/,
    /do[opr]_v1_[0-9a-f]{30,}|dckr_(?:pat|oat)_[\w-]{20,}|hv[bsr]\.[\w-]{20,}|dp\.(?:pt|st|ct|sa|scim)\.[\w.-]{20,}/,
    /shp(?:at|ca|pa|ss)_[0-9a-fA-F]{20,}|shippo_(?:live|test)_[0-9a-f]{30,}|(?:EAAA|sq0(?:atp|csp)-)[\w-]{22,}/,
    /lin_(?:api|oauth)_[0-9A-Za-z]{20,}|ntn_[0-9A-Za-z]{30,}|PMAK-[0-9a-f]{20,}-[0-9a-f]{30,}|pul-[0-9a-f]{40}/,
    /xai-[0-9A-Za-z]{30,}|gsk_[0-9A-Za-z]{30,}|pplx-[0-9A-Za-z]{30,}/,
    /dapi[0-9a-f]{32}(?:-\d)?|dt0c01\.[0-9A-Za-z]{20,}\.[0-9A-Za-z]{40,}|gl(?:c|sa)_[0-9A-Za-z+/=_]{30,}/,
    /pscale_(?:tkn|oauth|pw)_[\w=.-]{30,}|sntry[su]_[\w+/=]{40,}|sgp_[0-9a-f_]{40,}|sha256~[\w-]{43}|HRKU-[\w-]{36,}/,
    /(?:fo1_|fm[12][ar]?_)[\w+/=-]{40,}|EZ[AT]K[0-9A-Za-z]{50,}|AKCp[0-9A-Za-z]{60,}|cmVmd[0-9A-Za-z]{50,}/,
    /v1\.0-[0-9a-f]{24}-[0-9a-f]{100,}|[0-9A-Za-z]{14}\.atlasv1\.[\w=-]{60,}|ops_eyJ[\w+/]{100,}={0,3}/,
    /A3-[0-9A-Z]{6}-[0-9A-Z]{6}-?[0-9A-Z]{5}(?:-[0-9A-Z]{5}){3}|pat[0-9A-Za-z]{14}\.[0-9a-f]{64}|SK[0-9a-f]{32}\b/,
    /\d{8,10}:AA[\w-]{32,}|[MNO][\w-]{23,25}\.[\w-]{6}\.[\w-]{27,}|[0-9A-Za-z_~.]{3}\dQ~[\w~.-]{31,34}/,
    /owk_[\w-]{20,}/,
  ),
  // Signed and unsigned, and encrypted ones with their five parts; `ewo` begins one that was printed over lines. Within
  // a word only short heads are looked for: a word of many beginnings would be gone over as often.
  joined(
    'RFC 7519, gitleaks jwt',
    /(?:(?<![\w-])e(?:yJ|yA|wo)[\w-]{10,8000}|e(?:yJ|yA|wo)[\w-]{10,400})\.[\w-]{0,8000}\.[\w-]{0,8000}(?:\.[\w-]{0,8000}){0,2}/,
  ),
  joined(
    'gitleaks slack-webhook-url, microsoft-teams-webhook; docs of Discord',
    /(?<=hooks\.slack\.com\/(?:services|workflows|triggers)\/)[\w+/]{20,}/,
    /(?<=discord(?:app)?\.com\/api\/webhooks\/)\d+\/[\w-]{20,}/,
    /(?<=\.webhook\.office\.com\/webhookb2\/)[\w@/-]{20,}/,
  ),
  {
    form: /(?<=\b[a-z][a-z0-9+.-]{1,24}:\/\/[^\s/:@"'<>`]{0,200}:)(?![$<{%*])[^\s/"'<>`]{1,400}(?=@[^\s@])/gi,
    source: 'RFC 3986 userinfo',
  },
  {
    form: new RegExp(
      String.raw`(?<=[?&;](?:access_token|auth|token|api_?key|key|sig|signature|x-amz-signature|password|passwd|pwd|` +
        String.raw`secret|client_secret)=)${given}[^\s&#;"'<>\`]{8,}`,
      'gi',
    ),
    source: 'RFC 6750, docs of Azure SAS and AWS signed addresses',
  },
  {
    form: /(?<=authorization["']?\s{0,4}[:=,]\s{0,4}["']?(?:basic|bearer|token|digest)\s{1,4})(?![$<{%*])[^\s"'<>`]{8,}/gi,
    source: 'RFC 7617, RFC 6750, gitleaks curl-auth-header',
  },
  {
    form: /\$(?:apr1|1|2[abxy]?|5|6|7|y|scrypt|argon2(?:id|i|d)|pbkdf2[\w-]*)\$[\w./$=,+-]{20,}|\{(?:SSHA|SHA)(?:256|512)?\}[\w+/]{20,}={0,2}/g,
    source: 'docs of htpasswd and crypt(5)',
  },
  {
    form: /(?<=\b(?:AccountKey|SharedAccessKey|SharedSecret|Password|Pwd)\s{0,4}=\s{0,4})(?![$<{%*])[^\s;"'<>`]{6,}(?=\s{0,4}(?:;|["'\n]|$))/g,
    source: 'docs of Azure and of .NET connection strings',
  },
  {
    form: /(?<=\bcookie["']?\s{0,4}:\s{0,4}["'`]?)(?![$<{%*])[\w.%-]{1,80}=[^\n"'`${}]{8,4000}/gi,
    source: 'RFC 6265',
  },
  {
    form: new RegExp(
      String.raw`(?<=${called}s?${sets}["'\`])${literal}[^\s"'\`]{8,400}(?=["'\`])|` +
        String.raw`(?<=${called}s?["']?[ \t]{0,4}[:=][ \t]{0,4})${literal}` +
        String.raw`(?!\w{0,20}(?:key|token|secret|cred|pass)\w{0,12}${lineEnd})` +
        String.raw`[^\s"'\`(){}<>[\].,]{8,400}(?=${lineEnd})`,
      'gim',
    ),
    source: 'gitleaks generic-api-key',
  },
  {
    form: new RegExp(
      String.raw`(?<=(?<![a-z])${shouted}S?[ \t]{0,4}[:=][ \t]{0,4})${literal}[^\s"'\`()[\].,]{8,400}(?=\s|$)|` +
        String.raw`(?<=(?<![a-z])(?:${shouted}|PASS)=)${given}(?![/.~=])(?=\S*[A-Za-z])[^\s"'\`()<>,;]{3,400}|` +
        String.raw`(?<=(?<![a-z])(?:${shouted}|PASS)=["'])${given}[^"'\n=]{3,400}(?=["'][ \t]*\r?$)`,
      'gm',
    ),
    source: 'whispers, leaky-repo',
  },
  // A value that a person made up looks like any word: what is before and after it shows that it is one.
  {
    form: new RegExp(
      String.raw`(?<=(?:${word}|secret|(?<![a-z])pass)${sets}["'\`])${given}` +
        String.raw`(?!(?:[\w-]{0,60}(?:${word}|secret)s?|${noValue})["'\`])` +
        String.raw`(?=[^\s"'\`]{0,400}[a-z\d])[^\s"'\`]{4,400}(?=["'\`])`,
      'gi',
    ),
    source: 'whispers',
  },
  {
    form: new RegExp(
      String.raw`(?<=${word}["']?[ \t]{0,4}[:=][ \t]{0,4}(?:[|>][-+]?[ \t]{0,4}\r?\n[ \t]{1,12})?)${given}` +
        String.raw`(?![:=&!/~]|[a-z_$][\w$]*[.([]|` +
        String.raw`(?:\w{0,60}(?:${word}|pass)\w{0,60}|\w{1,60}(?:secret|string|hash)|${noValue})${lineEnd})` +
        String.raw`[^\s"'\`(){}<>[\],]{3,400}(?=${lineEnd})`,
      'gim',
    ),
    source: 'whispers, docs of YAML and of Spring',
  },
  {
    form: new RegExp(
      String.raw`(?<=<[\w.:-]{0,60}(?:${word}|secret|token)>)${given}[^<\n]{3,400}(?=<\/)|` +
        String.raw`(?<=\b(?:name|key)["']?\s{0,4}[:=]\s{0,4}["']?[\w.-]{0,60}(?:${called})["']?[\s,]{1,40}` +
        String.raw`["']?value["']?\s{0,4}[:=]\s{0,4}["']?)${given}[^\s"'\`<>{}]{3,400}|` +
        String.raw`(?<=\bdefine\(\s{0,4}["']\w{0,60}(?:${word}|secret|token|key|salt)["']\s{0,4},\s{0,4}["'])` +
        String.raw`.{3,400}?(?=["']\s{0,4}\))`,
      'gi',
    ),
    source: 'docs of Maven, .NET, Kubernetes and WordPress',
  },
  {
    form: new RegExp(
      String.raw`(?<=(?<![\w-])--?(?:password|passwd|pass|token|secret|api-key)[ =]["']?|\bsshpass -p ?["']?|` +
        String.raw`\blogin\s{1,4}\S{1,80}\s{1,4}password\s{1,4}|` +
        String.raw`\bcurl\b[^\n]{0,200}\s(?:-u|--user)[ =]?["']?[\w.@-]{1,80}:|` +
        String.raw`^(?:ENV|ARG)\s{1,4}\w{0,60}${word}\s{1,4}|\b_auth\s{0,4}=\s{0,4}|` +
        String.raw`^\s{0,8}(?:requirepass|masterauth|wpa_passphrase|psk)[ =]{1,3}"?)` +
        String.raw`${given}(?![-[])[^\s"'\`<>]{3,400}`,
      'gim',
    ),
    source: 'gitleaks curl-auth-user, docs of netrc, Docker, Redis and npm',
  },
]
