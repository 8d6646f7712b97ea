import { keysInTrouble, type KeychainTrouble, type SecretsView } from '../../secrets.ts'
import { zh } from './spaced.ts'

export function secretsKept({ count, keychain, keep, path, moving }: SecretsView): string {
  const file = zh`只有你能读的文件 ${path}`
  const works = keychain.kind === 'trouble' ? 'file' : 'keychain'
  return [
    count.keychain > 0 && count.file > 0
      ? zh`${count.keychain} 个密钥在系统钥匙串里，${count.file} 个在${file} 里。`
      : count.keychain > 0
        ? zh`${count.keychain} 个密钥在系统钥匙串里。`
        : count.file > 0
          ? zh`${count.file} 个密钥在${file} 里。`
          : keep === null && keychain.kind === 'untried'
            ? '钥匙串能用时，新密钥存进钥匙串；不能用时，存进只有你能读的文件。'
            : (keep ?? works) === 'keychain'
              ? '新密钥存进系统钥匙串。'
              : zh`新密钥存进${file}。`,
    keychain.kind === 'trouble' && (count.keychain > 0 || keep !== 'file')
      ? `${keychainTrouble(keychain.trouble)}${keychain.said === '' ? '' : `（${keychain.said}）`}。`
      : null,
    moving === null ? null : `移到${places[moving]}还没有做完。`,
  ]
    .filter((part) => part !== null)
    .join('')
}

export function secretsMend(kept: SecretsView): string | null {
  if (kept.moving !== null && kept.keychain.kind !== 'trouble')
    return zh`接着做：\`onward providers keys --to ${kept.moving}\`。`
  const trouble = keysInTrouble(kept)
  return trouble === null ? null : mends[trouble]
}

export const keychainTrouble = (trouble: KeychainTrouble): string => troubles[trouble]

const places = { keychain: '钥匙串', file: '文件' } as const

const troubles: Readonly<Record<KeychainTrouble, string>> = {
  off: '这个引擎不用钥匙串',
  'not-built': '钥匙串的库在这里加载不了',
  locked: '钥匙串锁着',
  unreachable: '连不到钥匙串',
  silent: '钥匙串没有回答，也许正等你解锁',
  refused: '钥匙串拒绝了',
}

const mends: Readonly<Record<KeychainTrouble, string>> = {
  off: '不带 ONWARD_KEYCHAIN=0 启动 Onward；或者先运行 `onward providers keys --to file`，再重新填密钥。',
  'not-built': '为这个系统重新安装 Onward，或者在存密钥的地方启动引擎，把它们移走。',
  locked: '解锁它，比如登录桌面。然后运行 `onward providers test`。',
  unreachable:
    '从桌面的会话里启动引擎，或在那里启动钥匙串。没有钥匙串的话：运行 `onward providers keys --to file`，再重新填密钥。',
  silent: '找到它的窗口，解锁；密钥随即生效。',
  refused: '在系统自己的密码程序里看看钥匙串。',
}
