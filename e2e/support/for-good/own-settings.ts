import type { SetUpClient } from '../../../shared/setup/first-run.ts'

/** What a person has of their own before Onward comes. */
export interface OwnSettings {
  /** below their home folder, as people write them: other providers, comments, keys, odd line ends */
  files(theirs: string, cwd: string): Readonly<Record<string, string>>
  /** in the folder they work in */
  project?(theirs: string): Readonly<Record<string, string>>
}

/** `theirs`: root of the provider that they use without Onward. */
export const ownSettings: Readonly<Record<SetUpClient, OwnSettings>> = {
  claude: {
    files: (theirs, cwd) => ({
      '.claude/settings.json': `{
  "model": "sonnet",
  "env": {
    "ANTHROPIC_BASE_URL": "${theirs}",
    "ANTHROPIC_AUTH_TOKEN": "their-0123456789abcdef",
    "DISABLE_AUTOUPDATER": "1"
  },
  "permissions": { "allow": ["Bash(npm test:*)"] }
}
`,
      '.claude.json': JSON.stringify({
        hasCompletedOnboarding: true,
        theme: 'dark',
        projects: { [cwd]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
      }),
    }),
  },
  codex: {
    files: (theirs, cwd) => ({
      '.codex/config.toml': `# mine
model = "gpt-5-codex"
model_provider = 'theirs' # the usual one
check_for_update_on_startup = false
notify = [
  "true",
]

[model_providers.theirs]
name = "Theirs"
base_url = "${theirs}/v1"
wire_api = "responses"
experimental_bearer_token = "their-0123456789abcdef"

[features] # tried out
unified_exec = true

[projects."${cwd}"]
trust_level = "trusted"`,
    }),
  },
  opencode: {
    files: (theirs) => ({
      '.config/opencode/opencode.jsonc': `{
  // what I like
  "$schema": "https://opencode.ai/config.json",
  "autoupdate": false,
  "share": "disabled",
  "enabled_providers": ["theirs"],
  "model": "theirs/big", /* the big one */
  "small_model": "theirs/big",
  "provider": {
    "theirs": {
      "npm": "@ai-sdk/openai-compatible",
      "options": { "baseURL": "${theirs}/v1", "apiKey": "their-0123456789abcdef" },
      "models": { "big": { "name": "Big" } },
    },
  },
}`,
    }),
  },
  gemini: {
    files: (theirs) => ({
      '.gemini/settings.json': `{\r
\t// mine\r
\t"ui": { "theme": "GitHub" },\r
\t"general": { "enableAutoUpdate": false },\r
\t"privacy": { "usageStatisticsEnabled": false },\r
\t"security": { "folderTrust": { "enabled": false }, "auth": { "selectedType": "gemini-api-key" } }\r
}\r
`,
      '.gemini/.env':
        '# keys\nexport ' + 'GEMINI_API_KEY="their-0123456789abcdef"\n' + `GOOGLE_GEMINI_BASE_URL=${theirs}\nOTHER=1`,
    }),
    // as projects have one for the program that is written there
    project: (theirs) => ({
      '.env': `DATABASE_URL=x\nGEMINI_API_KEY=project-0123456789\nGOOGLE_GEMINI_BASE_URL=${theirs}\n`,
    }),
  },
  qwen: {
    files: (theirs) => ({
      '.qwen/settings.json': JSON.stringify(
        {
          security: { auth: { selectedType: 'openai' }, folderTrust: { enabled: false } },
          general: { enableAutoUpdate: false },
          privacy: { usageStatisticsEnabled: false },
          telemetry: { enabled: false },
          model: { name: 'big' },
          modelProviders: { openai: [{ id: 'big', name: 'Big', baseUrl: `${theirs}/v1`, envKey: 'OPENAI_API_KEY' }] },
          $version: 3,
        },
        null,
        4,
      ),
      '.qwen/.env': `OPENAI_API_KEY=their-0123456789abcdef\nOPENAI_BASE_URL=${theirs}/v1\nOPENAI_MODEL=big\n`,
    }),
  },
}
