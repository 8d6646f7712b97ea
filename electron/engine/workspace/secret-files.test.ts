import { describe, expect, it } from 'vitest'
import { secretByHead, secretByName } from './secret-files.ts'

describe('names of files that hold secrets', () => {
  it.each([
    '.env',
    '.env.local',
    '.env.production',
    '.ENV',
    '.envrc',
    'config/.env',
    'prod.env',
    '.env.example.local',
    '.env.',
    '.env ',
    '.env::$DATA',
    '.e\u200bnv',
    '．env',
    'server.pem',
    'tls/server.KEY',
    'x.p12',
    'x.pfx',
    'x.jks',
    'db.kdbx',
    'putty.ppk',
    'id_rsa',
    'id_rsa.pub',
    'id_ed25519',
    'id_ed25519_work',
    'id_ecdsa',
    '.npmrc',
    '.netrc',
    '_netrc',
    '.pypirc',
    '.git-credentials',
    '.htpasswd',
    '.pgpass',
    'credentials',
    'credentials.json',
    'Credentials.csv',
    '.credentials.json',
    'secrets.yml',
    'secrets.json',
    'secret.txt',
    'auth.json',
    'service-account.json',
    'service-account-prod.json',
    'terraform.tfstate',
    'terraform.tfstate.backup',
    '.ssh/config',
    '.aws/anything',
    'home/.gnupg/x',
    '.kube/config',
    '.docker/config.json',
    '.git/config',
    '.git',
    '.GIT/HEAD',
    'sub/.git/config',
    'sub\\.git\\config',
    '.git./config',
    'a:b.pem',
  ])('refuses %j', (path) => {
    expect(secretByName(path)).toEqual(expect.any(String))
  })

  it.each([
    '',
    'src/a.ts',
    '.env.example',
    '.env.sample',
    'config/.env.template',
    'example.env',
    'environment.ts',
    'envelope',
    'keys.ts',
    'key',
    'monkey.ts',
    'secretary.ts',
    'secrets-file.ts',
    'service-account.ts',
    '.gitignore',
    '.gitattributes',
    '.github/workflows/ci.yml',
    'ssh/config',
    'docker/config.json',
    'git/config',
    'package.json',
    'author.json',
    'pem.md',
  ])('shows %j', (path) => {
    expect(secretByName(path)).toBe(null)
  })
})

describe('beginnings of private keys', () => {
  // Put together here, so that nobody takes this file for one.
  const block = (kind: string) => `-----BEGIN ${kind}-----\nMIIE`
  it.each([
    block('PRIVATE KEY'),
    block('RSA PRIVATE KEY'),
    block('OPENSSH PRIVATE KEY'),
    block('ENCRYPTED PRIVATE KEY'),
    block('PGP PRIVATE KEY BLOCK'),
    `Bag Attributes\n${block('PRIVATE KEY')}`,
    'PuTTY-User-Key-File-3: ssh',
    'AGE-SECRET-KEY-1QQ',
  ])('knows %j', (head) => {
    expect(secretByHead(head)).toBe(true)
  })
  it.each(['', block('PUBLIC KEY'), block('CERTIFICATE'), `const begin = '${block('PRIVATE KEY')}'`])(
    'lets %j pass',
    (head) => {
      expect(secretByHead(head)).toBe(false)
    },
  )
})
