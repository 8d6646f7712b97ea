import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { runs } from '../../../shared/testing/runs.ts'
import { secretIn, withoutTokens } from './secret-content.ts'

// Put together here, so that no scanner takes this file for one.
const block = (kind: string, body = 'MIIE') => `-----BEGIN ${kind}-----\n${body}`
const base64 = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQC7'
const holds = (text: string) => secretIn(Buffer.from(text)) !== null

describe('private keys', () => {
  it.each([
    block('PRIVATE KEY'),
    block('RSA PRIVATE KEY'),
    block('OPENSSH PRIVATE KEY'),
    block('ENCRYPTED PRIVATE KEY'),
    block('PGP PRIVATE KEY BLOCK'),
    `Bag Attributes\n${block('PRIVATE KEY')}`,
    'PuTTY-User-Key-File-3: ssh',
    'AGE-SECRET-KEY-1QQ',
    `-----BEGIN EC PRIVATE KEY-----\r\nMIIE`,
    `tls:\n  key: |\n    ${block('RSA PRIVATE KEY')}`,
    `{ "private_key": "-----BEGIN PRIVATE KEY-----\\n${base64}\\n" }`,
    `const key = '-----BEGIN PRIVATE KEY-----\\n' +\n  '${base64}'`,
    '---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----\nMIIE',
    `KEY="${block('RSA PRIVATE KEY', 'Proc-Type: 4,ENCRYPTED')}`,
    `"${block('PGP PRIVATE KEY BLOCK', '').trim()}\\nVersion: GnuPG v2\\n\\n${base64}"`,
    `${' '.repeat(60)}${block('RSA PRIVATE KEY')}`,
    block('PGP SECRET KEY BLOCK'),
    'AGE-SECRET-KEY-PQ-1QQ',
    `tls.key: ${Buffer.from(block('PRIVATE KEY')).toString('base64')}`,
    `KEY=${Buffer.from(block('RSA PRIVATE KEY')).toString('base64')}`,
    `KEY=${Buffer.from(block('OPENSSH PRIVATE KEY')).toString('base64')}`,
    `{"keys":[{"kty":"RSA","n":"x","d":"${base64}"}]}`,
    'untrusted comment: minisign encrypted secret key\nRWRT',
    `[Interface]\nPrivateKey = ${base64.slice(0, 43)}=\nAddress = 10.0.0.2/32`,
    `[Peer]\npresharedkey=${base64.slice(0, 43)}=`,
    `users:\n- name: me\n  user:\n    client-key-data: ${base64}`,
    'apiVersion: v1\nkind: Config\ncurrent-context: a\nusers:\n- name: me\n  user:\n    token: abc',
    'apiVersion: v1\nkind: Secret\nmetadata:\n  name: db\ndata:\n  password: aHVudGVyMg==',
    '{"kind":"Secret","stringData":{"password":"hunter2"}}'.replace(',', ',\n'),
    '{"auths":{"ghcr.io":{"auth":"YWRtaW46cGFzcw=="}}}',
    '# Netscape HTTP Cookie File\nexample.com\tTRUE',
  ])('are known: %j', (text) => {
    expect(holds(text)).toBe(true)
  })

  it.each([
    '',
    block('PUBLIC KEY'),
    block('CERTIFICATE'),
    `const begin = '${block('PRIVATE KEY')}'`,
    'a PRIVATE KEY is',
    'kind: SecretStore\ndata:\n  a: b',
    'type Kind = { kind: "Config" }',
    'const PrivateKey = createPrivateKey(pem)',
    `{"kty":"RSA","n":"${base64}","e":"AQAB"}`,
    Buffer.from(block('PUBLIC KEY')).toString('base64'),
    'current-context: a',
  ])('are not seen in %j', (text) => {
    expect(holds(text)).toBe(false)
  })

  it('are known wherever they stand in a file', () => {
    fc.assert(
      fc.property(fc.nat(2 ** 21), fc.nat(2 ** 12), (before, after) => {
        const text = `${'x'.repeat(79)}\n`.repeat(Math.ceil(before / 80)) + block('PRIVATE KEY') + 'y\n'.repeat(after)
        expect(holds(text)).toBe(true)
      }),
      runs(50),
    )
  })

  // A pattern that backtracks over the text here would take hours.
  it.each([
    ['beginnings without an end', `${'-----BEGIN A '.repeat(150_000)}PRIVATE KEY`],
    ['words without an end', `-----BEGIN ${'AB '.repeat(600_000)}PRIVATE KEY`],
    ['blanks', `${' \t'.repeat(900_000)}PRIVATE KEY`],
    ['quotes behind one', `-----BEGIN PRIVATE KEY-----${'\\n'.repeat(900_000)}`],
  ])('are looked for in %s without being held up', (_what, text) => {
    expect(holds(text)).toBe(false)
  })
})

describe('keys of services', () => {
  const fill = (n: number) => 'aB3'.repeat(n).slice(0, n)
  it.each([
    `AKIA${'ABCD'.repeat(4)}`,
    `ghp_${fill(36)}`,
    `github_pat_${fill(40)}`,
    `glpat-${fill(20)}`,
    `xoxb-${fill(24)}`,
    `sk-ant-api03-${fill(60)}`,
    `sk-proj-${fill(60)}`,
    `sk-${fill(48)}`,
    `sk_live_${fill(24)}`,
    `AIza${fill(35)}`,
    `ya29.${fill(60)}`,
    `npm_${fill(36)}`,
    `hf_${fill(34)}`,
    `SG.${fill(22)}.${fill(43)}`,
    `hvs.${fill(40)}`,
    `eyJ${fill(40)}.eyJ${fill(60)}.${fill(43)}`,
    `eyJ${fill(40)}.eyA${fill(60)}.`,
    `eyJ${fill(40)}..${fill(16)}.${fill(40)}.${fill(22)}`,
    `glsa_${fill(32)}_ABCDEF01`,
    `sk_test_${fill(24)}`,
    `dapi${'0a1b'.repeat(8)}`,
    `owk_${fill(24)}`,
    `$apr1$${fill(8)}$${fill(22)}`,
    `$2y$10$${fill(53)}`,
    `{SHA}${fill(27)}=`,
  ])('are left out: %s', (key) => {
    expect(withoutTokens(`a = "${key}"; b`)).toBe('a = "[a key, left out]"; b')
    expect(withoutTokens(key.slice(0, 12))).toBe(key.slice(0, 12))
  })

  it.each([
    ['postgres://app:', 'hunter2', '@db/x'],
    ['redis://:', 'p@ss', '@cache:6379/0'],
    ['https://me:', fill(20), '@git.example/x.git'],
    ['https://api.example/?a=1&access_token=', fill(20), '&b=2'],
    ['https://blob.example/c?sv=1&sig=', fill(20), '"'],
    ['Authorization: Basic ', fill(20), ''],
    ['"authorization": "Bearer ', fill(20), '"'],
    ['https://hooks.slack.com/services/', `T0/B0/${fill(24)}`, ' '],
    ['Server=db;Password=', 'hunter2', ';Encrypt=true'],
    ["SECRET_KEY = '", 'django-insecure-1a2b', "'"],
    ['"dbPassword": "', 'hunter2hunter2', '",'],
    ['POSTGRES_PASSWORD=', 'hunter22', ''],
    ['      DB_API_KEY: ', 'abcdef123456', '\n'],
    ['user:', `$apr1$${fill(8)}$${fill(22)}`, '\nother'],
    ['password: ', 'hunter', ''],
    ['  password: ', 'correcthorse', ' # of the db\n  user: x'],
    ['password: |\n    ', 'hunter!?', '\n'],
    ['db.password=', 'letmein', '\r\n'],
    ['spring.datasource.password=', 'let-me-in', ''],
    ['"Password": "', 'letmein', '",'],
    ["'password' => '", 'letmein', "',"],
    ['const password = "', 'letmein', '"'],
    ['client_secret: ', 'abcdefgh', '\n'],
    ['POSTGRES_PASSWORD=', 'letmein', ' psql'],
    ['export SMTP_PASS=', '123456789a', '\n'],
    ['DB_PASSWORD="', 'correct horse battery', '"'],
    ['API_TOKEN=', 'abcdefgh', ''],
    ['  api_key: ', 'abcdef123456', '\n'],
    ['<password>', 'letmein', '</password>'],
    ['<add key="SmtpPassword" value="', 'letmein', '" />'],
    ['- name: DB_PASSWORD\n  value: ', 'letmein', '\n'],
    ["define( 'AUTH_KEY', '", 'put any phrase here', "' );"],
    ['machine x login me password ', 'letmein', ''],
    ['curl -s -u me:', 'letmein', ' https://api.example'],
    ['psql --password=', 'letmein', ' -h db'],
    ['ENV DB_PASSWORD ', 'letmein', '\n'],
    ['requirepass ', 'letmein', '\n'],
    ['_auth=', 'YWRtaW46cGFzcw==', ''],
    ['Cookie: ', 'session=abcdefghij; theme=dark', '\n'],
    ['jdbc:mysql://h/db?user=me&password=', 'letmeinx', ''],
    ['sid_', `eyJ${fill(40)}.eyJ${fill(60)}.${fill(43)}`, ''],
  ])('are left out where %s stands before them', (before, key, after) => {
    expect(withoutTokens(`${before}${key}${after}`)).toBe(`${before}[a key, left out]${after}`)
  })

  it.each([
    'http://localhost:3000/@scope/pkg',
    'https://user@example.org/x',
    'postgres://${USER}:${PASSWORD}@db/x',
    'https://<user>:<password>@example.org',
    'ssh://git@example.org:22/x',
    'password: string',
    'const token = readToken()',
    'token: "access_token"',
    'password: string',
    'password: SecretString',
    'password: null',
    'password: !vault abc',
    'password: newPassword,',
    '  password: hashedPassword',
    'password: process.env.PASSWORD',
    'const password = process.env.DB_PASSWORD',
    'password = getpass()',
    'self.password = os.environ["PASSWORD"]',
    'password: z.string().min(8)',
    '"password": "string"',
    "secret: 'Key'",
    "{ type: 'password', name: 'password' }",
    'Your password has to be long. Password: see the manual.',
    'PASSWORD=$1',
    'TOKEN=/run/secrets/token',
    'MAX_TOKENS=4096',
    'if (password === other) return',
    'cookie: string',
    'PASSWORD=${DB_PASSWORD_2}',
    "tokens: ['one', 'two']",
    'apiKey: process.env.API_KEY_2',
    'authorization: Bearer <token>',
    'price: $5$ and $6$',
    'sk-learn',
    'task-ant-hill-with-a-long-name-of-it',
    'const xoxb = 1',
    'SG.text.more',
    'npm_config_registry',
  ])('are not seen in %j', (text) => {
    expect(withoutTokens(text)).toBe(text)
  })

  it('are looked for without being held up', () => {
    for (const text of [
      'eyJ-',
      'SG.a',
      'sk-',
      'AKIA',
      'gh_',
      'ya29',
      'http://a:',
      'TOKEN="',
      '{SHA}',
      'password: !',
      'name="password" ',
      'curl -u a ',
      'cookie: a',
    ])
      expect(withoutTokens(text.repeat(7_000))).not.toContain('left out')
  })
})
