/**
 * Names of what holds secrets, gathered from the lists of secret scanners (gitrob, shhgit, whispers, leaky-repo) and
 * from where the tools themselves say they keep theirs. Rather a harmless file too many than a key in a prompt.
 * Patterns stand for whole names in lower case.
 */
export interface SecretName {
  name: RegExp
  why: string
}

const oneOf = (...names: readonly string[]): RegExp => new RegExp(`^(?:${names.join('|')})$`)

/** Of a file, or of a folder with all that is below it. */
export const secretNames: readonly SecretName[] = [
  { name: /^\.env/, why: 'files of environment variables' },
  { name: /\.env$/, why: 'files of environment variables' },
  {
    name: /\.(?:pem|key|p8|p12|pfx|pkcs12|jks|jceks|bks|keystore|keytab|keychain(?:-db)?|kdbx?|psafe3|agilekeychain|ppk|ovpn|tblk)$/,
    why: 'keys',
  },
  { name: /^id_(?:rsa|dsa|ecdsa|ed25519|xmss)/, why: 'keys' },
  { name: oneOf('control-token', 'secring\\.gpg', 'otr\\.private_key', 'key[34]\\.db', 'authkey_.*'), why: 'keys' },
  {
    // of one tool each
    name: oneOf(
      '\\.npmrc|\\.yarnrc\\.yml|\\.pypirc|pip\\.conf|\\.terraformrc|terraform\\.rc|knife\\.rb',
      '[._]netrc|\\.curlrc|\\.wgetrc|\\.git-credentials|\\.gitconfig|\\.gitrobrc|\\.rhosts',
      '\\.htpasswd|\\.pgpass|pgpass\\.conf|\\.my\\.cnf|\\.mylogin\\.cnf|proftpdpasswd',
      '\\.boto|\\.s3cfg|\\.tugboat|\\.dockercfg|\\.dockerconfigjson|kubeconfig|rclone\\.conf',
      '\\.vault-token|\\.?vault[-_]pass(?:word)?(?:[-_]file)?(?:\\.[a-z]+)?|\\.?ansible[-_]vault.*',
      'auth\\.json|oauth_creds\\.json|token\\.json|access_?tokens\\.(?:db|json)|logins\\.json',
      'application_default_credentials\\.json|client_secrets?.*\\.json|.*-adminsdk-.*\\.json',
      'sftp(?:-config)?\\.json|\\.ftpconfig|\\.remote-sync\\.json|webservers\\.xml|robomongo\\.json',
      'recentservers\\.xml|filezilla\\.xml|sitemanager\\.xml|\\.dbeaver-data-sources\\.xml',
      'wp-config\\.php|localsettings\\.php|jupyter_(?:notebook|server)_config\\.json',
      '\\.muttrc|\\.msmtprc|\\.esmtprc|\\.fetchmailrc|\\.mailrc|\\.offlineimaprc',
    ),
    why: 'credentials',
  },
  { name: /^\.?credentials/, why: 'credentials' },
  { name: /[-_.]credentials?(?:\.(?:json|xml|ya?ml|toml|ini|csv|txt|properties|db|plist|cfg))?$/, why: 'credentials' },
  { name: /service[-_]?account.*\.(?:json|ya?ml|p12)$/, why: 'credentials' },
  { name: /\.tfvars(?:\.json)?$/, why: 'credentials' },
  { name: /\.tfstate(?:\..*)?$/, why: 'credentials' },
  { name: /^\.?secrets?\./, why: 'secrets' },
  { name: /^\.?passwords?\.(?:txt|csv|json|ya?ml|xlsx?|db)$/, why: 'secrets' },
  {
    // Servers of agents are given their keys by environment and headers.
    name: oneOf(
      '\\.?mcp\\.json',
      'mcp[-_](?:config|settings|servers)\\.json',
      'claude_desktop_config\\.json',
      '\\.claude\\.json',
    ),
    why: 'settings of agents with keys',
  },
  { name: /^\.z?(?:[a-z0-9]+[-_])*hist(?:ory|file)?(?:\.(?:txt|db))?$/, why: 'what was typed' },
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
  },
  { name: /^\.(?:bash|zsh|z|k|c|tc)(?:rc|env|profile|_profile|login|_login)$|^\.profile$/, why: 'settings of a shell' },
]

/** Of a file only: what is below a folder of this name is looked at. */
export const secretAsFiles: readonly SecretName[] = [
  { name: /_(?:rsa|dsa|ecdsa|ed25519)$/, why: 'keys' },
  { name: /^(?:g?shadow-?|passwd-?)$/, why: 'secrets' },
  { name: /^(?:.*[-_])?(?:private|secret|api|access)[-_]?keys?(?:\.(?:txt|json|ya?ml))?$/, why: 'keys' },
]

/** They say which variables there are, without their values. */
export const harmlessNames: ReadonlySet<string> = new Set(
  '.env.example|.env.sample|.env.template|.env.dist|example.env|sample.env|template.env|example.tfvars'.split('|'),
)

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

/** Files and folders known by the folder they stand in. */
export const secretWays: readonly { way: readonly string[]; why: string }[] = [
  ...below('.config', 'gcloud|gh|glab-cli|hub|op|doctl|hcloud|heroku|netlify|configstore|sops|helm', 'credentials'),
  ...below('.config', 'containers|fish|github-copilot|gspread|nuget|pulumi|flyctl|.wrangler|stripe', 'credentials'),
  ...below('.config', 'google-chrome|chromium|bravesoftware|microsoft-edge|keepassxc|bitwarden cli', 'credentials'),
  ...below('appdata/roaming', 'gcloud|github cli|mozilla|nuget|gnupg', 'credentials'),
  ...below('library/application support', 'google|firefox|gcloud|bravesoftware', 'credentials'),
  ...below('library', 'keychains|cookies', 'keys'),
  ...below('.local/share', 'keyrings|kwalletd|opencode', 'keys'),
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
