import {
  isUnfinished,
  keysInTrouble,
  secretPlaces,
  type KeychainTrouble,
  type SecretsView,
} from '../../secrets/secrets.ts'
import { zh } from './spaced.ts'

export function secretsKept({
  count,
  keychain,
  keep,
  path,
  moving,
  strays,
  unnamed = [],
  swept = [],
}: SecretsView): string {
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
    keychain.kind === 'trouble' && keep === null && count.file > 0 ? '所以新密钥存进文件。' : null,
    unnamed.length === 0
      ? null
      : zh`配置里已经没有地方用到 ${unnamed.join('、')}：等到无法再撤销时就会删掉，最迟在下次启动时。`,
    swept.length === 0 ? null : zh`已删掉不再用到的密钥：${swept.join('、')}。`,
    moving === null ? null : `移到${places[moving]}还没有做完。`,
    ...secretPlaces.map((place) => {
      const names = strays.filter((stray) => stray.place === place).map(({ name }) => name)
      return names.length === 0 ? null : `${places[place]}里可能还留着不再有效的副本：${names.join('、')}。`
    }),
  ]
    .filter((part) => part !== null)
    .join('')
}

export function secretsMend(kept: SecretsView): string | null {
  const { keychain, moving, strays, keep } = kept
  const trouble = keysInTrouble(kept)
  if (trouble !== null) return keep === 'file' ? (fileChosen[trouble] ?? mends[trouble]) : mends[trouble]
  if (!isUnfinished(kept)) return null
  if (keychain.kind === 'trouble' && strays.every(({ place }) => place === 'keychain'))
    return `钥匙串能用之后，它们就会被删掉。${opens[keychain.trouble]}`
  return zh`Onward 会自己再试；要马上试：\`onward providers keys --to ${moving ?? keep ?? 'file'}\`。`
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

/** How it can be used. */
const opens: Readonly<Record<KeychainTrouble, string>> = {
  off: '不带 ONWARD_KEYCHAIN=0 启动 Onward。',
  'not-built': '为这个系统重新安装 Onward。',
  locked: '解锁它，比如登录桌面。',
  unreachable: '从桌面的会话里启动引擎，或在那里启动钥匙串。',
  silent: '找到它的窗口，解锁。',
  refused: '在系统自己的密码程序里看看钥匙串。',
}

const without =
  '不想用钥匙串的话：运行 `onward providers keys --to file`，新密钥就存进文件。然后重新填每个密钥；旧的留在钥匙串里，直到它能用为止。'

const mends: Readonly<Record<KeychainTrouble, string>> = {
  off: `${opens.off}${without}`,
  'not-built': `${opens['not-built']}${without}`,
  locked: `${opens.locked}然后运行 \`onward providers test\`。`,
  unreachable: `${opens.unreachable}${without}`,
  silent: '找到它的窗口，解锁；密钥随即生效。',
  refused: opens.refused,
}

/** Where the file was chosen, and keys could not be brought there. */
const anew = '新密钥已经存进文件：在那里重新填这些密钥。或者等钥匙串能用了再移'
const fileChosen: Partial<Readonly<Record<KeychainTrouble, string>>> = {
  off: `${anew}：不带 ONWARD_KEYCHAIN=0 启动 Onward。`,
  'not-built': `${anew}：为这个系统重新安装 Onward。`,
  unreachable: `${anew}：从桌面的会话里启动引擎。`,
}
